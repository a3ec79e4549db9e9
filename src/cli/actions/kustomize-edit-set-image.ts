import { OpSdkError, type Finding } from '../../errors/index.ts';
import { parseImageChange, setImages } from '../../kustomize/index.ts';
import type { Action } from '../command.ts';
import { editKustomization } from './files/edit-kustomization.ts';

/** `op-sdk kustomize edit set image`. */
export const run: Action = async (context, given, args) => {
  const findings: Finding[] = [];
  const invalid = (argument: string, problem: string): void => {
    findings.push({
      code: 'cli/invalid-value',
      message: `${argument}: ${problem}`,
      where: { flag: '<image>' },
      fix: ['write NAME=NEW:TAG, such as controller=ghcr.io/acme/operator:v1'],
    });
  };
  const names = new Set<string>();
  const changes = args.flatMap((argument) => {
    const change = parseImageChange(argument);
    if ('problem' in change) invalid(argument, change.problem);
    else if (names.has(change.name)) invalid(argument, `${change.name} is set twice`);
    else {
      names.add(change.name);
      return [change];
    }
    return [];
  });
  if (findings.length > 0) throw new OpSdkError(findings);
  return editKustomization(context, given, (text, file) => setImages(text, file, changes));
};
