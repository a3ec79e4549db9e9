import type { FindingList } from '../../errors/index.ts';
import { describeEvaluated, type Evaluated, type SourcePlace, type TokenInfo } from '../../schema/index.ts';
import { invalidDeclaration, readArray, readObject } from '../read-value.ts';
import type { PolicyRule } from './policy-rule.ts';
import { readRules, type ReadRules } from './read-rule.ts';

/**
 * What a controller may do, from its declaration: its informers list and watch `for`, `owns` and `watches`; its `rbac`
 * adds the rest. A controller that owns objects also gets `update` on the finalizers of its kind: owner references with
 * blockOwnerDeletion need it where the admission plugin OwnerReferencesPermissionEnforcement is on.
 */
export function controllerRules(
  findings: FindingList,
  options: Evaluated | undefined,
  call: SourcePlace,
): ReadRules {
  const none: ReadRules = { rules: [], written: [], warnings: [] };
  if (options === undefined) {
    findings.add(
      invalidDeclaration(
        'defineController takes an object',
        call,
        'write { for, reconcile } with their values',
      ),
    );
    return none;
  }
  const fields = readObject(findings, options, 'defineController');
  if (fields === undefined) return none;
  const reconciled = fields.get('for');
  if (reconciled === undefined && options.type === 'object' && options.holes.length === 0) {
    findings.add(
      invalidDeclaration(
        'defineController lacks `for`',
        options.place,
        'add the resource that it reconciles',
      ),
    );
  }
  const primary = reconciled === undefined ? [] : tokens(findings, '`for`', [reconciled.value]);
  const owned = tokens(findings, '`owns`', readArray(findings, fields.get('owns')?.value, '`owns`') ?? []);
  const watched = tokens(
    findings,
    '`watches`',
    readArray(findings, fields.get('watches')?.value, '`watches`') ?? [],
  );
  const explicit = readRules(findings, fields.get('rbac')?.value);
  const finalizers =
    owned.length === 0 ? [] : primary.map((token) => rule(token, `${token.plural}/finalizers`, ['update']));
  const cached = [...primary, ...owned, ...watched].map((token) =>
    rule(token, token.plural, ['list', 'watch']),
  );
  return { ...explicit, rules: [...cached, ...finalizers, ...explicit.rules] };
}

function rule(token: TokenInfo, resource: string, verbs: readonly string[]): PolicyRule {
  return { apiGroups: [token.group], resources: [resource], verbs };
}

const fix =
  'name a `const` of defineResource, a kind of opsdk/k8s/<group>/<version>, or externalResource({ group, version, kind, plural, scope }) with literals';

function tokens(findings: FindingList, what: string, values: readonly Evaluated[]): readonly TokenInfo[] {
  return values.flatMap((value) => {
    if (value.type === 'token') return [value.token];
    if (value.type === 'opaque') findings.add({ ...value.finding, fix: [...(value.finding.fix ?? []), fix] });
    else {
      const message = `${what} takes resources, as defineResource and opsdk/k8s/* give them, not ${describeEvaluated(value)}`;
      findings.add({ code: 'manifests/unresolved-resource', message, where: value.place, fix: [fix] });
    }
    return [];
  });
}
