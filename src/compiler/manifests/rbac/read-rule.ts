import type { Finding, FindingList } from '../../../base/errors/index.ts';
import { opaqueParts, type Evaluated } from '../../schema/index.ts';
import { partAt, placeAt } from '../../source/index.ts';
import { list, located, named, object, string, type Located } from '../../../base/util/json-reader.ts';
import type { ReadOf } from '../../../base/util/read-json.ts';
import { readDeclaration, type Placed } from '../declaration.ts';
import { checkWrittenRule, type RuleKey, type WrittenRule } from './written-rule.ts';
import type { NeededRule, RuleOrigin } from './needed-rule.ts';

const texts = list(located(string));
const text = located(string);
const rulesReader = list(
  located(
    named(
      'an RBAC rule',
      object({
        groups: texts,
        resources: texts,
        resourceNames: texts,
        nonResourceURLs: texts,
        verbs: texts,
        namespace: text,
      } satisfies Record<RuleKey | 'namespace', unknown>),
    ),
  ),
);
type ReadRule = ReadOf<typeof rulesReader>[number];

export interface ReadRules {
  readonly rules: readonly NeededRule[];
  readonly written: readonly WrittenRule[];
  readonly warnings: readonly Finding[];
}

/**
 * Reads the rules of one `rbac` property or of one `rbac([...])` call.
 * @param label name of the construct that contains the rules: `rbac` or `permitted`
 */
export function readRules(
  findings: FindingList,
  value: Evaluated | undefined,
  label: 'rbac' | 'permitted' = 'rbac',
): ReadRules {
  if (value === undefined || (value.type === 'scalar' && value.value === undefined))
    return { rules: [], written: [], warnings: [] };
  findings.add(...opaqueParts(value).map(({ finding }) => finding));
  const { value: read = [], problems } = readDeclaration(findings, rulesReader, value, `\`${label}\``);
  const warnings: Finding[] = [];
  const written = read
    // What could not be read has been reported; checking the rest would report its absence once more.
    .filter(({ path }) => !problems.some((problem) => !problem.isKey && problem.path[0] === path[0]))
    .filter(({ path }) => opaqueParts(partAt(value, path)).length === 0)
    .map((rule) => writtenRule(value, rule));
  for (const rule of written) checkWrittenRule(findings, warnings, rule);
  return { rules: written.map((rule) => neededRule(rule, label)), written, warnings };
}

function writtenRule(rules: Evaluated, { value: rule, path }: ReadRule): WrittenRule {
  const placed = (items: readonly Located<string>[] | undefined): readonly Placed<string>[] | undefined =>
    items?.map((item) => ({ value: item.value, place: placeAt(rules, item.path) }));
  return {
    groups: placed(rule.groups),
    resources: placed(rule.resources),
    resourceNames: placed(rule.resourceNames),
    nonResourceURLs: placed(rule.nonResourceURLs),
    verbs: placed(rule.verbs),
    namespace: rule.namespace && {
      value: rule.namespace.value,
      place: placeAt(rules, rule.namespace.path),
    },
    place: placeAt(rules, path),
    placeOfKey: (key) => placeAt(rules, [...path, key], true),
  };
}

function neededRule(rule: WrittenRule, by: 'rbac' | 'permitted'): NeededRule {
  const origin: RuleOrigin = by === 'rbac' ? 'explicit' : 'permitted';
  const values = (names: readonly Placed<string>[]): readonly string[] => names.map((name) => name.value);
  return {
    ...(rule.groups === undefined ? {} : { apiGroups: values(rule.groups) }),
    ...(rule.resources === undefined ? {} : { resources: values(rule.resources) }),
    ...(rule.resourceNames === undefined ? {} : { resourceNames: values(rule.resourceNames) }),
    ...(rule.nonResourceURLs === undefined ? {} : { nonResourceURLs: values(rule.nonResourceURLs) }),
    verbs: values(rule.verbs ?? []),
    ...(rule.namespace === undefined ? {} : { namespace: rule.namespace.value }),
    places: [rule.place],
    origin,
    by,
  };
}
