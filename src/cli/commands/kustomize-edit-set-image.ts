import { defineCommand } from '../command.ts';
import { editFlags } from '../flags/project-flags.ts';
import { FindingList } from '../../base/errors/index.ts';
import { parseImageChange, setImages } from '../../kubernetes/kustomize/index.ts';
import { editKustomization } from '../actions/files/apply-plan.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';

export const command = defineCommand({
  locksProject: 'project',
  arguments: [['<image...>', 'NAME=NEW[:TAG][@DIGEST], or NAME:TAG, or NAME@DIGEST']],
  flags: {
    ...editFlags,
  },
  help: `
NAME is the image in the resources, without its tag. A part that you leave out is removed from the entry; * keeps the current one.

  op-sdk kustomize edit set image controller=ghcr.io/acme/operator:v1 --dir config/manager
  op-sdk kustomize edit set image 'controller=*:v2'`,
  async run(context, parsed, args) {
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
  },
});
