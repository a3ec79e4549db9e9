import { OpSdkError } from '../../../../../errors/index.ts';
import type { CommandModule } from '../../../../command.ts';
import { editFlags, editKustomization } from '../shared/edit-kustomization.ts';

/** `op-sdk kustomize edit set namespace`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('<namespace>', 'the namespace of all resources');
    editFlags(command);
  },
  async run(context, given, [namespace = '']) {
    const { checkLabel } = await import('../../../../../project/index.ts');
    const { setField } = await import('../../../../../kustomize/index.ts');
    const problem = checkLabel(namespace);
    if (problem !== undefined) {
      throw new OpSdkError({
        code: 'cli/invalid-value',
        message: `'${namespace}' cannot be the name of a namespace: ${problem}`,
        where: { flag: '<namespace>' },
        fix: ['use lower-case letters, digits and dashes'],
      });
    }
    return editKustomization(context, given, (text, file) => setField(text, file, 'namespace', namespace));
  },
};
