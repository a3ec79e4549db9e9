import { canonicalJson, jsonTextOf } from '../../../base/util/json-map.ts';
import { fieldPath } from './version-loss.ts';
import { hasDefault, crdSchemaFields, refusedSchemaFields } from '../../objects/index.ts';
import type { ReportedChange } from './change.ts';
import {
  isAnything,
  hasRules,
  itemsOf,
  keepsUnknown,
  kindOf,
  othersOf,
  propertiesOf,
  requiredOf,
  shown,
  withMetaFields,
  type Schema,
  documentationKeywords,
  type NodeKind,
  interference,
  type Surrounding,
  listTypeOf,
  mapTypeOf,
} from './schema-node.ts';
import { boundsRule, formatRule, enumRule, defaultRule, type NodePair, type Rule } from './rules/values.ts';
import { celRule } from './rules/cel.ts';
import { combinationsRule } from './rules/combinations.ts';
import { listsAndMapsRule } from './rules/lists-and-maps.ts';

/** Returns true if every value of the kind `old` is also a value of the kind `now`. */
function isWiderKind(old: NodeKind, now: NodeKind): boolean {
  if (now === 'anything') return true;
  if (now === 'int-or-string') return old === 'integer' || old === 'string';
  return old === 'integer' && now === 'number';
}

const typeRule: Rule = {
  keywords: ['type', 'x-kubernetes-int-or-string'],
  compare(pair, report) {
    const [before, after] = [kindOf(pair.old), kindOf(pair.new)];
    if (before === after) return;
    const code = isWiderKind(before, after) ? 'type-widened' : 'type-changed';
    report({ code, message: `${before} became ${after}` });
  },
};

const nullableRule: Rule = {
  keywords: ['nullable'],
  compare(pair, report) {
    const [before, after] = [pair.old['nullable'] === true, pair.new['nullable'] === true];
    if (before === after) return;
    report({
      code: after ? 'nullable-added' : 'nullable-removed',
      message: after ? 'null is allowed now' : 'null is no longer allowed',
    });
  },
};

/** Compares patterns. Reports every change, because it cannot be decided if one pattern accepts fewer values than another. */
const patternRule: Rule = {
  keywords: ['pattern'],
  compare(pair, report) {
    const before = jsonTextOf(pair.old['pattern']);
    const after = jsonTextOf(pair.new['pattern']);
    if (before === after) return;
    if (before === '') report({ code: 'pattern-added', message: `must match ${shown(after)} now` });
    else if (after === '')
      report({ code: 'pattern-removed', message: `no longer has to match ${shown(before)}` });
    else report({ code: 'pattern-changed', message: `pattern ${shown(before)} became ${shown(after)}` });
  },
};

/** Compares keywords that serve only as documentation for people. */
const documentationRule: Rule = {
  keywords: documentationKeywords,
  compare(pair, report) {
    for (const keyword of documentationKeywords) {
      const before = pair.old[keyword];
      const after = pair.new[keyword];
      if (canonicalJson(before) === canonicalJson(after)) continue;
      const what = before === undefined ? 'is new' : after === undefined ? 'was removed' : 'changed';
      report({ code: 'documentation', message: `${keyword} ${what}` });
    }
  },
};

const embeddedResourceRule: Rule = {
  keywords: ['x-kubernetes-embedded-resource'],
  compare(pair, report) {
    const before = pair.old['x-kubernetes-embedded-resource'] === true;
    const after = pair.new['x-kubernetes-embedded-resource'] === true;
    if (before === after) return;
    const message = after ? 'is an embedded resource now' : 'is no longer an embedded resource';
    report({ code: 'embedded-resource-changed', message });
  },
};

/** Fields that the API server requires in an embedded resource, even if the schema does not require them. */
const embedded: readonly string[] = ['apiVersion', 'kind'];

/** Reports a change of the field at a path. */
export type ReportAt = (path: string, change: ReportedChange) => void;

/** Rules that are applied to every schema node. Each rule compares one group of keywords. */
const rules: readonly Rule[] = [
  typeRule,
  nullableRule,
  enumRule,
  boundsRule,
  patternRule,
  formatRule,
  defaultRule,
  listsAndMapsRule,
  embeddedResourceRule,
  combinationsRule,
  celRule,
  documentationRule,
];

/** Keywords that {@link compareSchemas} compares itself, without a rule. */
const followed = [
  'properties',
  'required',
  'items',
  'additionalProperties',
  'x-kubernetes-preserve-unknown-fields',
];

/** All keywords that {@link compareSchemas} or a rule compares. A change of any other keyword is reported without judging its effect. */
export const judgedKeywords: ReadonlySet<string> = new Set([
  ...followed,
  ...rules.flatMap((rule) => rule.keywords),
]);

/** Schema keywords that the API server knows; it drops all others. */
const known: ReadonlySet<string> = new Set([...crdSchemaFields, ...refusedSchemaFields]);

/** Compares the old and the new schema of a version, from the root down, and reports each change. */
export function compareSchemas(old: Schema, now: Schema, report: ReportAt): void {
  const roots = { old: withMetaFields(old), new: withMetaFields(now) };
  compareNodes({ ...roots, path: '.', around: [], isInsideAtomic: false, isInsideRules: false }, report);
}

interface Place extends NodePair {
  readonly path: string;
  /** The new schema nodes that enclose this node, from the root on. */
  readonly around: readonly Surrounding[];
}

function compareNodes(place: Place, report: ReportAt): void {
  const { path } = place;
  if (canonicalJson(place.old) === canonicalJson(place.new)) return;
  const here = (change: ReportedChange): void => {
    report(path, change);
    if (change.code === 'default-added') reportInterference(place.around, path, report);
  };
  const [before, after] = [kindOf(place.old), kindOf(place.new)];
  if (before !== after && !isWiderKind(before, after)) {
    // The type has changed. Skip the other rules, because constraints on values of different types cannot be compared.
    for (const rule of [typeRule, nullableRule, documentationRule]) rule.compare(place, here);
    return;
  }
  for (const rule of rules) rule.compare(place, here);
  const unknown = new Set([...Object.keys(place.old), ...Object.keys(place.new)]);
  for (const keyword of unknown) {
    if (judgedKeywords.has(keyword)) continue;
    if (canonicalJson(place.old[keyword]) === canonicalJson(place.new[keyword])) continue;
    const message = `${keyword} changed`;
    if (known.has(keyword)) here({ code: 'keyword-changed', message });
    else
      here({ code: 'documentation', message, note: 'The API server does not know the field and drops it.' });
  }
  compareRequired(place, report);
  compareItems(place, report);
  compareOthers(place, report);
  compareProperties(place, report);
}

function reportInterference(around: readonly Surrounding[], path: string, report: ReportAt): void {
  const reason = interference(around);
  if (reason !== undefined) report(path, { code: 'default-interferes', message: reason });
}

function compareRequired(place: Place, report: ReportAt): void {
  const before = requiredOf(place.old);
  const after = requiredOf(place.new);
  const [oldFields, fields] = [propertiesOf(place.old), propertiesOf(place.new)];
  for (const name of after) {
    if (before.includes(name)) continue;
    const field = fields[name];
    const isNew = oldFields[name] === undefined && othersOf(place.old) === undefined;
    // Skip new fields. A new field is reported as one change, and that change also says if the field is required.
    if (isNew && field !== undefined) continue;
    const code = field !== undefined && hasDefault(field) ? 'required-added-with-default' : 'required-added';
    report(fieldPath(place.path, name), { code, message: 'the field is required now' });
  }
  for (const name of before) {
    if (!after.includes(name) && (fields[name] !== undefined || oldFields[name] === undefined))
      report(fieldPath(place.path, name), { code: 'required-removed', message: 'the field is optional now' });
  }
}

function compareItems(place: Place, report: ReportAt): void {
  const [before, after] = [itemsOf(place.old), itemsOf(place.new)];
  const isList = [place.old, place.new].some((schema) => schema['items'] !== undefined);
  if (!isList || before === undefined || after === undefined) return;
  const path = `${place.path === '.' ? '' : place.path}[]`;
  compareNodes({ old: before, new: after, path, ...below(place, undefined) }, report);
}

/** Returns the context for a node directly below another node. It is the same for all these nodes, except for the name of the field. */
function below(
  place: Place,
  name: string | undefined,
): Pick<Place, 'around' | 'isInsideAtomic' | 'isInsideRules'> {
  return {
    around: [...place.around, { schema: place.new, name }],
    isInsideAtomic: place.isInsideAtomic || (isAtomic(place.old) && isAtomic(place.new)),
    isInsideRules: place.isInsideRules || hasRules(place.old) || hasRules(place.new),
  };
}

/** Compares the treatment of fields that are not declared: they are pruned, kept, or values of a map. */
function compareOthers(place: Place, report: ReportAt): void {
  const { path } = place;
  const [before, after] = [othersOf(place.old), othersOf(place.new)];
  // Skip scalars. If a scalar has lost its type, this has been reported as a change of the type.
  const hasFields = ['object', 'anything'].includes(kindOf(place.old));
  if (!hasFields || (before === undefined && after === undefined)) return;
  if (before === undefined || after === undefined) {
    const keeps = isAnything(before ?? after ?? {});
    if (after === undefined)
      report(path, {
        code: keeps ? 'unknown-fields-pruned' : 'map-values-removed',
        message: keeps ? 'unknown fields are pruned now' : 'keys that are not declared are pruned now',
      });
    else
      report(path, {
        code: keeps ? 'unknown-fields-kept' : 'map-values-added',
        message: keeps
          ? 'unknown fields are kept now'
          : `any keys are allowed now, with ${kindOf(after)} values`,
      });
    return;
  }
  const inner = `${path === '.' ? '' : path}.*`;
  compareNodes({ old: before, new: after, path: inner, ...below(place, undefined) }, report);
}

function compareProperties(place: Place, report: ReportAt): void {
  const [before, after] = [propertiesOf(place.old), propertiesOf(place.new)];
  const [oldOthers, others] = [othersOf(place.old), othersOf(place.new)];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const path = fieldPath(place.path, name);
    const inside = below(place, name);
    const { around } = inside;
    const old = before[name] ?? oldOthers;
    const now = after[name] ?? others;
    if (old === undefined && now !== undefined) reportAdded(name, now, place, path, around, report);
    else if (now === undefined) reportRemoved(path, before[name] ?? {}, report);
    else if (after[name] === undefined && isAnything(now)) {
      report(path, { code: 'field-undeclared', message: 'the field is no longer declared' });
      if (old !== undefined)
        defaultRule.compare({ old, new: now, ...inside }, (change) => report(path, change));
    } else if (before[name] === undefined && old !== undefined && isAnything(old)) {
      if (!isAnything(now))
        report(path, { code: 'field-declared', message: `the field is declared now: ${kindOf(now)}` });
      if (hasDefault(now)) reportInterference(around, path, report);
    } else if (old !== undefined) {
      const isEmbedded = now['x-kubernetes-embedded-resource'] === true;
      const bothEmbedded = isEmbedded && old['x-kubernetes-embedded-resource'] === true;
      const pair = bothEmbedded
        ? { old: withMetaFields(old, embedded), new: withMetaFields(now, embedded) }
        : { old, new: now };
      compareNodes({ ...pair, path, ...inside }, report);
    }
  }
}

function reportAdded(
  name: string,
  schema: Schema,
  place: Place,
  path: string,
  around: readonly Surrounding[],
  report: ReportAt,
): void {
  const isRequired = requiredOf(place.new).includes(name);
  const kind = kindOf(schema);
  if (hasDefault(schema)) {
    const message = `a new ${kind} with the default ${shown(schema['default'])}`;
    report(path, { code: 'field-added-with-default', message });
    reportInterference(around, path, report);
  } else if (isRequired) report(path, { code: 'required-field-added', message: `a new required ${kind}` });
  else report(path, { code: 'field-added', message: `a new optional ${kind}` });
}

function reportRemoved(path: string, schema: Schema, report: ReportAt): void {
  const message = keepsUnknown(schema)
    ? 'the field and everything below it were removed'
    : `the ${kindOf(schema)} was removed`;
  report(path, { code: 'field-removed', message });
}

/** Returns true if server-side apply treats a list or an object, with everything in it, as one value. */
function isAtomic(schema: Schema): boolean {
  return kindOf(schema) === 'array' ? listTypeOf(schema) === 'atomic' : mapTypeOf(schema) === 'atomic';
}
