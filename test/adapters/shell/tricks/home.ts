import type { Trick } from './trick.ts'

/** What a person's next shell, login, tool or run would pick up. */
export const homeTricks: readonly Trick[] = [
  ['a start file of the shell', 'echo x >> ~/.bashrc'],
  ['a new start file of the shell', 'echo x > ~/.profile'],
  ['a key to log in with', 'echo x > ~/.ssh/authorized_keys'],
  ['moving a folder of the home away', 'mv ~/.ssh ~/.ssh2'],
  ['a configuration of git for this person', 'echo x > ~/.gitconfig'],
  ['the same by git itself', 'unset GIT_CONFIG_GLOBAL; git config --global core.hooksPath /evil'],
  ['another home for git', 'unset GIT_CONFIG_GLOBAL; HOME="$OUT" git config --global core.hooksPath /evil'],
  ['a configuration of npm', 'npm config set script-shell=/evil --location=user', 'command -v npm'],
  ['a program in the path', 'mkdir -p ~/.local/bin && echo x > ~/.local/bin/git'],
  ['a service', 'mkdir -p ~/.config/systemd/user && echo x > ~/.config/systemd/user/evil.service'],
  ['something to start with the desktop', 'mkdir -p ~/.config/autostart && echo x > ~/.config/autostart/evil.desktop'],
  ['trust in commands', 'echo x > ~/.local/state/pawl/trust/evil'],
  ['an entry in the list of runs', 'mkdir -p ~/.local/state/pawl/runs && echo {} > ~/.local/state/pawl/runs/evil.json'],
  [
    'compiled code of this program',
    'mkdir -p ~/.local/state/pawl/compile-cache && echo x > ~/.local/state/pawl/compile-cache/evil',
  ],
  ['all trust taken over', 'mv ~/.local/state/pawl old; mkdir -p ~/.local/state/pawl/trust'],
  ['settings of this program', 'mkdir -p ~/.config/pawl && echo x > ~/.config/pawl/config.yml'],
]
