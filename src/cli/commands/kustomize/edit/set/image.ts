import { OpSdkError, type Finding } from '../../../../../errors/index.ts';
import type { CommandModule } from '../../../../command.ts';
import { editFlags, editKustomization } from '../shared/edit-kustomization.ts';

/** `op-sdk kustomize edit set image`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('<image...>', 'NAME=NEW[:TAG][@DIGEST], or NAME:TAG, or NAME@DIGEST');
    editFlags(command);
    command.addHelpText(
      'after',
      `
NAME is the image in the resources, without tag. A part that is not given is taken out of the entry;
* keeps what the kustomization has.

  op-sdk kustomize edit set image controller=ghcr.io/acme/operator:v1 --dir config/manager
  op-sdk kustomize edit set image 'controller=*:v2'`,
    );
  },
  async run(context, given, args) {
    const { parseImageChange, setImages } = await import('../../../../../kustomize/index.ts');
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
  },
};
