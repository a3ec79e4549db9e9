import { defineCommand } from '../command.ts';
import { editFlags } from '../flags/project-flags.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { setField } from '../../kubernetes/kustomize/index.ts';
import { editKustomization } from '../actions/files/apply-plan.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';

export const command = defineCommand({
  locksProject: 'project',
  arguments: [['<prefix>', 'the prefix of the name of every resource, such as dev-']],
  flags: {
    ...editFlags,
  },
  async run(context, parsed, [prefix = '']) {
    if (!/^[a-z0-9][a-z0-9.-]{0,62}$/.test(prefix)) {
      throw new OpSdkError(
        invalidFlag(
          '<prefix>',
          `'${prefix}' is not a valid prefix of object names`,
          'use lower-case letters, digits, dots and dashes, such as dev-',
        ),
      );
    }
    return editKustomization(context, parsed, (text, file) => setField(text, file, 'namePrefix', prefix));
  },
});
