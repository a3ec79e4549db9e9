import { defineCommand } from '../command.ts';
import { editFlags } from '../flags/project-flags.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { setField } from '../../kubernetes/kustomize/index.ts';
import { checkLabel } from '../../project/project/index.ts';
import { editKustomization } from '../actions/files/apply-plan.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';

export const command = defineCommand({
  locksProject: 'project',
  arguments: [['<namespace>', 'the namespace of all resources']],
  flags: {
    ...editFlags,
  },
  async run(context, parsed, [namespace = '']) {
    const problem = checkLabel(namespace);
    if (problem !== undefined) {
      throw new OpSdkError(
        invalidFlag(
          '<namespace>',
          `'${namespace}' cannot be the name of a namespace: ${problem}`,
          'use lower-case letters, digits and dashes',
        ),
      );
    }
    return editKustomization(context, parsed, (text, file) => setField(text, file, 'namespace', namespace));
  },
});
