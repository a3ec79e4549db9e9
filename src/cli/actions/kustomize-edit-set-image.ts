import { FindingList } from '../../base/errors/index.ts';
import { parseImageChange, setImages } from '../../kubernetes/kustomize/index.ts';
import type { Action } from '../command.ts';
import type { command } from '../commands/kustomize-edit-set-image.ts';
import { editKustomization } from './files/apply-plan.ts';
import { invalidFlag } from './input/flag-values.ts';

/** `op-sdk kustomize edit set image`. */
export const run: Action<typeof command> = async (context, parsed, args) => {
  const findings = new FindingList();
  const fix = 'write NAME=NEW:TAG, such as controller=ghcr.io/acme/operator:v1';
  const names = new Set<string>();
  const changes = args.flatMap((argument) => {
    const change = parseImageChange(argument);
    if ('problem' in change) findings.add(invalidFlag('<image>', `${argument}: ${change.problem}`, fix));
    else if (names.has(change.name))
      findings.add(invalidFlag('<image>', `${argument}: ${change.name} is set twice`, fix));
    else {
      names.add(change.name);
      return [change];
    }
    return [];
  });
  findings.throwIfAny();
  return editKustomization(context, parsed, (text, file) => setImages(text, file, changes));
};
