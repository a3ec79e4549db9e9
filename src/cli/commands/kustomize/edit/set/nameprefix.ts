import { OpSdkError } from '../../../../../errors/index.ts';
import type { CommandModule } from '../../../../command.ts';
import { editFlags, editKustomization } from '../shared/edit-kustomization.ts';

/** `op-sdk kustomize edit set nameprefix`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('<prefix>', 'what stands in front of the name of every resource, such as dev-');
    editFlags(command);
  },
  async run(context, given, [prefix = '']) {
    const { setField } = await import('../../../../../kustomize/index.ts');
    if (!/^[a-z0-9][a-z0-9.-]{0,62}$/.test(prefix)) {
      throw new OpSdkError({
        code: 'cli/invalid-value',
        message: `'${prefix}' cannot stand in front of a name`,
        where: { flag: '<prefix>' },
        fix: ['use lower-case letters, digits, dots and dashes, such as dev-'],
      });
    }
    return editKustomization(context, given, (text, file) => setField(text, file, 'namePrefix', prefix));
  },
};
