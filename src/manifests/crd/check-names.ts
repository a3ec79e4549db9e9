import type { FindingCode, FindingList } from '../../errors/index.ts';
import { checkPlural, checkSubdomain, type NameCheck } from '../../project/index.ts';
import type { Placed } from '../read-value.ts';
import type { KindVersion } from './kind-version.ts';

/** Source: apiextensions validation of `spec.group`: a DNS subdomain with at least one dot. */
const checkGroup: NameCheck = (value) => {
  const problem = checkSubdomain(value);
  if (problem !== undefined) return problem;
  return value.includes('.') ? undefined : 'it has no dot; a group ends in a domain, as in cache.example.com';
};

/** Source: apiextensions `ValidateCustomResourceDefinitionNames`: a kind is a label when written in lower case. */
const checkKind: NameCheck = (value) => {
  const problem = checkPlural(value.toLowerCase());
  return problem?.replace('lower-case letters', 'letters');
};

/** Everything that the API server demands of group, version and names, each problem at its own place. */
export function checkNames(findings: FindingList, kind: KindVersion): void {
  const check = (
    code: FindingCode,
    what: string,
    name: Placed<string>,
    problem: string | undefined,
    fix: string,
  ): void => {
    if (problem === undefined) return;
    findings.add({
      code,
      message: `${what} ${JSON.stringify(name.value)} is not valid: ${problem}`,
      where: name.place,
      fix: [fix],
    });
  };
  const group = kind.group.value;
  check(
    'manifests/invalid-group',
    'the group',
    kind.group,
    checkGroup(group),
    'write a lower-case domain name, such as cache.example.com',
  );
  check(
    'manifests/invalid-version',
    'the version',
    kind.version,
    checkPlural(kind.version.value),
    'write v1alpha1, v1beta1 or v1',
  );
  check(
    'manifests/invalid-kind',
    'the kind',
    kind.kind,
    checkKind(kind.kind.value),
    'write one CamelCase word, such as Memcached',
  );
  // Names that were derived from a bad kind would only repeat its finding.
  if (checkKind(kind.kind.value) !== undefined) return;
  const label = 'write lower-case letters, digits and dashes, a letter first';
  check('manifests/invalid-name', 'the plural', kind.plural, checkPlural(kind.plural.value), label);
  check('manifests/invalid-name', 'the singular', kind.singular, checkPlural(kind.singular.value), label);
  for (const name of kind.shortNames)
    check('manifests/invalid-name', 'the short name', name, checkPlural(name.value), label);
  for (const name of kind.categories)
    check('manifests/invalid-name', 'the category', name, checkPlural(name.value), label);
  const listKind = kind.listKind.value;
  // A derived list kind is longer than its kind; then the kind is what must become shorter.
  check(
    'manifests/invalid-name',
    'the list kind',
    kind.listKind,
    checkKind(listKind),
    'write one CamelCase word, such as MemcachedList',
  );
  if (listKind === kind.kind.value)
    check('manifests/invalid-name', 'the list kind', kind.listKind, 'it is the kind itself', 'leave it out');
  const crdName = `${kind.plural.value}.${group}`;
  if (crdName.length > 253) {
    check(
      'manifests/invalid-name',
      'the name',
      { value: crdName, place: kind.group.place },
      `plural and group together have ${crdName.length} characters; 253 are allowed`,
      'use a shorter group or plural',
    );
  }
}
