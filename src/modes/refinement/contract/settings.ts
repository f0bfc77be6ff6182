import { duration, type SettingRules, setting } from '../../../contract/config/setting.ts'

/** Config keys of this mode. */
export const refinementSettings = {
  pause_timeout: setting(
    'text',
    duration(1, 'a duration such as 90s, 30m or 3h, or a number of seconds, more than 0 and at most 24d').describe(
      'A paused refinement that nobody continues goes on by itself after this time. Default 10m with the presets sap-0020 and sap-0010, otherwise never.',
    ),
    { only: 'workspace' },
  ),
} satisfies SettingRules
