import type { Files } from '../../level.ts'
import { edit } from './edit.ts'

const text = `# Rede für Hanne Brodersen

## Begrüßung

Liebe Familie, liebe Nachbarn, liebe Freunde der Inselbücherei. Wir sind heute hier, um uns von Hanne zu verabschieden. Sie ist am 3. März im Alter von 84 Jahren gestorben.

## Kindheit

Hanne wurde in Husum geboren, als drittes von fünf Kindern. Ihr Vater flickte Netze, ihre Mutter nähte Segel. Mit sieben Jahren las sie den Geschwistern aus dem einzigen Buch im Haus vor, einem Lexikon, Band M bis P.

## Die Bücherei

Im Jahr 1968 übernahm sie die Bücherei auf der Insel. Damals waren es 400 Bände in einem Schuppen hinter der Post. Als sie aufhörte, waren es 12.000 in drei Räumen.

Sie hat nie eine Mahnung verschickt. Wer ein Buch behielt, bekam Besuch, und der Besuch brachte Kuchen mit.

Im Winter 1979 war die Insel neun Tage lang abgeschnitten. Hanne zog mit dem Schlitten von Hof zu Hof und tauschte Bücher gegen Brennholz.

## Der Orden

Einmal kam der Landrat, um ihr einen Orden zu verleihen. Sie ließ ihn zwanzig Minuten warten, weil ein Kind noch ein Buch suchte. Den Orden hat sie danach als Lesezeichen benutzt.

## Die Familie

Mit Jens war sie 51 Jahre verheiratet. Die beiden hatten zwei Töchter, Maren und Silke. Im Garten stand ein Apfelbaum, unter dem niemand reden durfte, solange sie las.

## Abschied

Hanne wollte keine Blumen. Sie hat sich gewünscht, dass jeder von uns ein Buch verschenkt. Am Ausgang steht eine Kiste mit sechzig Bänden aus ihrem Besitz. Nehmen Sie eines mit.

Danach gibt es Kaffee im Gasthof Anker.
`

export const eulogyBefore: Files = { 'rede.md': text }

export const eulogyAfter: Files = {
  'rede.md': edit(
    text,
    ['im Alter von 84 Jahren', 'im Alter von 86 Jahren'],
    ['neun Tage lang abgeschnitten', 'elf Tage lang abgeschnitten'],
    [
      `## Der Orden

Einmal kam der Landrat, um ihr einen Orden zu verleihen. Sie ließ ihn zwanzig Minuten warten, weil ein Kind noch ein Buch suchte. Den Orden hat sie danach als Lesezeichen benutzt.

`,
      '',
    ],
    [
      'unter dem niemand reden durfte, solange sie las.',
      `unter dem niemand reden durfte, solange sie las.

Jens ist vor vier Jahren gestorben. Seitdem hat sie ihm jeden Abend eine Seite vorgelesen, laut, in die leere Küche hinein.`,
    ],
    [
      'Am Ausgang steht eine Kiste mit sechzig Bänden aus ihrem Besitz.',
      'Am Ausgang stehen drei Kisten mit zweihundert Bänden aus ihrem Besitz.',
    ],
    [
      'Danach gibt es Kaffee im Gasthof Anker.\n',
      `Danach gibt es Kaffee im Gemeindehaus.

## Dank

Maren und Silke danken dem Pflegedienst Nordlicht und Doktor Petersen, der auch nachts gekommen ist.
`,
    ],
  ),
}
