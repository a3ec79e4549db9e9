import { Option } from 'commander';
import type { CommandModule } from '../command.ts';
import { booleanFlag, moreHelp } from '../flags/common.ts';
import { xunit } from '../flags/words.ts';

/** `op-sdk scorecard`. */
export const command: CommandModule = {
  formats: [xunit],
  configure(command) {
    command.argument('[bundle]', 'the folder of the bundle (default: bundle)');
    booleanFlag(command, 'local', 'run the tests on this machine, without a cluster', false);
    command.option('-c, --config <file>', 'the configuration (default: the one of the bundle)');
    command.option('-l, --selector <selector>', 'run the tests with these labels: suite=olm, test in (a,b)');
    command.addOption(new Option('-L, --list', 'list the tests that are selected, run nothing'));
    command.addOption(new Option('--no-list').hideHelp());
    command.setOptionValueWithSource('list', false, 'default');
    moreHelp(
      command,
      `
Runs the six tests of operator-sdk's image scorecard-test that the configuration lists, with the
same verdicts: basic-check-spec, olm-bundle-validation, olm-crds-have-validation,
olm-crds-have-resources, olm-spec-descriptors, olm-status-descriptors. They read files only. The
exit code is 1 if a test does not pass. A test of another image needs a cluster: it is not run,
and has the state error. Running on a cluster is not supported in this version.

  -o json     the TestList of operator-sdk
  -o ${xunit}    JUnit's XML, as operator-sdk writes it`,
    );
  },
  run: () => import('../actions/scorecard.ts'),
};
