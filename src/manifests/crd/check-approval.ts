import type { FindingList } from '../../errors/index.ts';
import type { KindVersion, SharedParts } from './kind-version.ts';

const annotation = 'api-approved.kubernetes.io';

/** Groups that belong to Kubernetes. Source: apiextensions `apihelpers.IsProtectedCommunityGroup`. */
const reservedGroup = /(?:^|\.)(?:k8s|kubernetes)\.io$/;

/** A group of Kubernetes needs an approval, or the word that there is none. Source: apiextensions `validateAPIApproval`, `GetAPIApprovalState`. */
export function checkApproval(
  findings: FindingList,
  { group }: KindVersion,
  { annotations }: Pick<SharedParts, 'annotations'>,
): void {
  if (!reservedGroup.test(group.value)) return;
  const approval = annotations?.value[annotation] ?? '';
  if (approval.startsWith('unapproved') || isAddress(approval)) return;
  const problem =
    approval === ''
      ? `needs the annotation ${annotation}`
      : `has the annotation ${annotation} with ${JSON.stringify(approval)}, which is neither a URL nor a reason that starts with "unapproved"`;
  findings.add({
    code: 'manifests/reserved-group',
    message: `the group ${JSON.stringify(group.value)} is reserved for approved APIs of Kubernetes: the kind ${problem}`,
    where: approval === '' ? group.place : (annotations?.place ?? group.place),
    fix: [
      'use a group below a domain of your own',
      `or write \`annotations: { '${annotation}': 'https://…' }\` with the address of the approval`,
    ],
  });
}

function isAddress(text: string): boolean {
  return /^[a-z][-+.a-z0-9]*:\/\/[^/]/i.test(text) && URL.canParse(text);
}
