import type { Finding, FindingList } from '../../errors/index.ts';
import { closestName } from '../../util/closest-name.ts';
import type { WrittenRule } from './read-rule.ts';

/** Source: Kubernetes "Authorization: request verbs"; special verbs of RBAC, certificates and pod security. */
const resourceVerbs = [
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  ...[
    'use',
    'bind',
    'escalate',
    'impersonate',
    'approve',
    'sign',
    'attest',
    'request-serviceaccounts-token-audience',
  ],
];
/** Source: Kubernetes "Authorization: non-resource requests", the lower-cased HTTP methods. */
const urlVerbs = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];
/** Constrained impersonation: `impersonate:user-info`, `impersonate-on:user-info:list`. */
const impersonation = /^impersonate(?:-on)?:[a-z:-]+$/;

/** Requests that carry no name when they are authorised: a rule with resourceNames never matches them. */
const namelessVerbs = ['create', 'deletecollection'];

/** Refuses verbs that no request has; RBAC would take them and permit nothing. */
export function checkVerbs(findings: FindingList, warnings: Finding[], rule: WrittenRule): void {
  const known = rule.nonResourceURLs === undefined ? resourceVerbs : urlVerbs;
  for (const { value, place } of rule.verbs ?? []) {
    if (value === '*') {
      warnings.push({
        code: 'manifests/wide-permission',
        message: 'an RBAC rule has the verb `*`',
        where: place,
        fix: ['name the verbs that the operator uses'],
      });
    } else if (!known.includes(value) && !impersonation.test(value)) {
      const closest = closestName(value, known);
      findings.add({
        code: 'manifests/unknown-verb',
        message: `'${value}' is not a verb of ${rule.nonResourceURLs === undefined ? 'Kubernetes' : 'URLs'}`,
        where: place,
        fix: [closest === undefined ? `use one of ${known.join(', ')}` : `did you mean '${closest}'?`],
      });
    } else if (rule.resourceNames !== undefined && namelessVerbs.includes(value)) {
      warnings.push({
        code: 'manifests/useless-rbac-rule',
        message: `the verb '${value}' in a rule with \`resourceNames\` permits nothing: such a request has no name when it is authorised`,
        where: place,
        fix: [`write a rule of its own for '${value}', without \`resourceNames\``],
      });
    }
  }
}
