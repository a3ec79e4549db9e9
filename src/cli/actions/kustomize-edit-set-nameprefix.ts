import { OpSdkError } from '../../base/errors/index.ts';
import { setField } from '../../kubernetes/kustomize/index.ts';
import type { Action } from '../command.ts';
import type { command } from '../commands/kustomize-edit-set-nameprefix.ts';
import { editKustomization } from './files/apply-plan.ts';
import { invalidFlag } from './input/flag-values.ts';

/** `op-sdk kustomize edit set nameprefix`. */
export const run: Action<typeof command> = async (context, parsed, [prefix = '']) => {
  if (!/^[a-z0-9][a-z0-9.-]{0,62}$/.test(prefix)) {
    throw new OpSdkError(
      invalidFlag(
        '<prefix>',
        `'${prefix}' cannot stand in front of a name`,
        'use lower-case letters, digits, dots and dashes, such as dev-',
      ),
    );
  }
  return editKustomization(context, parsed, (text, file) => setField(text, file, 'namePrefix', prefix));
};
