import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';

/** `op-sdk catalog validate`. */
export const command = defineCommand({
  arguments: [['[catalog]', 'the folder or the file of a catalogue (default: catalog)']],
  flags: {
    graph: flag.choice('format', ['mermaid', 'dot'], 'print a picture of the updates, too'),
    package: flag.text('name', 'draw the channels of this package only'),
    strict: flag.boolean('fail on warnings, too'),
  },
  help: `
Checks a file-based catalogue by the rules of \`opm validate\`, and reports all that breaks one, with
its line. All files of a folder and of those below are read, but those that .indexignore lists.
Warnings are about updates that OLM takes, but that lead elsewhere than people expect: a version
that a skipRange hides, or an update to an older version. It needs no cluster.

  op-sdk catalog validate catalog --graph mermaid > updates.mmd`,
});
