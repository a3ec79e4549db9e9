import { Option } from 'commander';
import type { CommandModule } from '../command.ts';
import { booleanFlag, moreHelp } from '../flags/common.ts';

/** `op-sdk catalog validate`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('[catalog]', 'the folder or the file of a catalogue (default: catalog)');
    command.addOption(
      new Option('--graph <format>', 'print a picture of the updates, too').choices(['mermaid', 'dot']),
    );
    command.option('--package <name>', 'draw the channels of this package only');
    booleanFlag(command, 'strict', 'fail on warnings, too', false);
    moreHelp(
      command,
      `
Checks a file-based catalogue by the rules of \`opm validate\`, and reports all that breaks one, with
its line. All files of a folder and of those below are read, but those that .indexignore lists.
Warnings are about updates that OLM takes, but that lead elsewhere than people expect: a version
that a skipRange hides, or an update to an older version. It needs no cluster.

  op-sdk catalog validate catalog --graph mermaid > updates.mmd`,
    );
  },
  run: () => import('../actions/catalog-validate.ts'),
};
