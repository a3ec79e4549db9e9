/**
 * Parties that a change affects. A breaking change harms them; a compatible change is something that they should know of:
 * - `stored`: existing objects on the cluster. They become invalid, lose data, or change their meaning.
 * - `writers`: clients that create or change objects. Their requests are refused, or fields are dropped.
 * - `readers`: clients that read objects. They find unexpected values, or miss expected ones.
 */
export type Affected = 'stored' | 'writers' | 'readers';

/** Possible severities of a change. */
export const severities = ['breaking', 'compatible'] as const;
export type Severity = (typeof severities)[number];

/** Severity and explanation of a change code. */
interface ChangeKind {
  /** Default severity. A project may override it; see `Severities`. */
  readonly severity: Severity;
  readonly affects: readonly Affected[];
  /** Reason for the severity, in one or two sentences. */
  readonly explain: string;
  /** True if validation ratcheting softens the change, so that {@link ratchetingNote} applies. */
  readonly ratcheted: boolean;
}

const all: readonly Affected[] = ['stored', 'writers', 'readers'];
const values: readonly Affected[] = ['stored', 'writers'];

const breaking = (affects: readonly Affected[], explain: string): ChangeKind => ({
  severity: 'breaking',
  affects,
  explain,
  ratcheted: false,
});
/** Defines the code of a change that makes a constraint on a value stricter. */
const stricter = (affects: readonly Affected[], explain: string): ChangeKind => ({
  ...breaking(affects, explain),
  ratcheted: true,
});
const compatible = (explain: string, affects: readonly Affected[] = []): ChangeKind => ({
  severity: 'compatible',
  affects,
  explain,
  ratcheted: false,
});

/** Note for changes that validation ratcheting softens. Source: KEP-4008; on by default since Kubernetes 1.30, always on since 1.33. */
export const ratchetingNote =
  'Ratcheting: since Kubernetes 1.30 an update that leaves a value (of a list or object: all of it) as it is passes, although the value is invalid now. New objects and changed values are refused.';

/** All codes of changes, each with its severity and explanation. The codes are stable, so that CI may rely on them. */
export const changeCodes = {
  // Changes of the entire CustomResourceDefinition.
  'crd-added': compatible('Nobody uses it yet.'),
  'crd-removed': breaking(
    all,
    'Deleting a CustomResourceDefinition deletes every object of its kind, and all requests for them fail.',
  ),
  'scope-changed': breaking(
    all,
    'The API server refuses to change the scope of an established CustomResourceDefinition; it must be deleted, and all objects with it.',
  ),
  'plural-changed': breaking(
    all,
    'The plural is part of the name of the CustomResourceDefinition and of every URL: this is another resource, and the old one goes with all its objects.',
  ),
  'kind-changed': breaking(
    all,
    'The API server refuses to change the kind of an established CustomResourceDefinition; clients and manifests name the old one.',
  ),
  'list-kind-changed': breaking(['readers'], 'Typed clients look at the kind of a list when they decode it.'),
  'singular-changed': breaking(['readers'], 'kubectl and scripts that use the old singular name fail.'),
  'short-name-added': compatible('A new name for kubectl.'),
  'short-name-removed': breaking(['readers'], 'kubectl and scripts that use the short name fail.'),
  'category-added': compatible('`kubectl get <category>` shows the kind, too.'),
  'category-removed': breaking(['readers'], '`kubectl get <category>` no longer shows the kind.'),
  'conversion-added': compatible(
    'The webhook must answer before the definition is applied: while it does not, no object in another version than the stored one can be read or written.',
    all,
  ),
  'conversion-removed': breaking(
    all,
    'Without the webhook only apiVersion is changed: objects are pruned and validated as if they had been written in the version asked for.',
  ),
  'conversion-changed': compatible(
    'Nothing in the API changes, if the new place answers with the same conversions.',
  ),
  'pruning-enabled': breaking(
    ['stored', 'writers'],
    'spec.preserveUnknownFields kept fields that no schema declares; now they are dropped from every object.',
  ),
  'pruning-disabled': compatible('Fields that no schema declares are kept now.'),
  'metadata-changed': compatible('Labels and annotations of the definition are not part of the API.'),

  // Changes of versions.
  'version-added': compatible('Existing clients keep using the version that they know.'),
  'version-removed': breaking(
    ['writers', 'readers'],
    'Requests for the version fail with 404. The deprecation policy of Kubernetes: a stable version stays for good, a beta version 9 months or 3 releases after its deprecation, an alpha version may go at any time.',
  ),
  'version-renamed': breaking(
    ['writers', 'readers'],
    'Requests for the old name fail with 404. Serve both names until all clients have moved.',
  ),
  'stored-version-removed': breaking(
    ['stored'],
    'Objects are stored in the version, and could no longer be read: the API server refuses the definition. Add the new storage version first, rewrite all objects, take the old version out of status.storedVersions, and remove it then.',
  ),
  'version-unserved': breaking(
    ['writers', 'readers'],
    'Requests for the version fail with 404; for them it is the same as a removal.',
  ),
  'version-served': compatible('The version can be used again.'),
  'storage-version-changed': compatible(
    'Existing objects stay in the old version until they are written again. Both versions must convert into each other without loss.',
    ['stored'],
  ),
  'storage-version-unreleased': breaking(
    ['stored'],
    'After a return to the old definition what was stored in the new version cannot be read. The deprecation policy of Kubernetes: the storage version may advance only after a release that has both versions.',
  ),
  'storage-version-lacks-field': breaking(
    all,
    'Conversion None changes apiVersion and nothing else: the API server prunes every object by the schema of the storage version before it is stored. Declare in both versions what one of them has, keep unknown fields in the storage version (x-kubernetes-preserve-unknown-fields), or convert by a webhook.',
  ),
  'served-version-lacks-field': breaking(
    all,
    'Conversion None changes apiVersion and nothing else: whoever reads an object in this version gets it without, and whoever writes it back, or patches something else, removes it from the stored object. Declare in both versions what one of them has, keep unknown fields in this one (x-kubernetes-preserve-unknown-fields), or convert by a webhook.',
  ),
  'version-deprecated': compatible('Clients get a warning with every response.', ['writers', 'readers']),
  'version-undeprecated': compatible('The warning of every response is gone.'),
  'deprecation-warning-changed': compatible('Another text.'),

  // Changes of subresources, printer columns and selectable fields.
  'status-added': breaking(
    ['writers'],
    'From now on writes to the object ignore its status: whoever has set it there must use the status subresource. Only changes beside metadata and status raise metadata.generation.',
  ),
  'status-removed': breaking(
    ['writers', 'readers'],
    'Requests for /status fail with 404: every operator reports there. Every change raises metadata.generation.',
  ),
  'scale-added': compatible('`kubectl scale` and autoscalers can be used.'),
  'scale-removed': breaking(['writers', 'readers'], '`kubectl scale` and autoscalers fail.'),
  'scale-changed': breaking(
    ['writers', 'readers'],
    '`kubectl scale`, autoscalers and disruption budgets now read or write another field.',
  ),
  'printer-columns-changed': compatible('Tables are for people; scripts must not read them.'),
  'selectable-field-added': compatible('Field selectors may name the field.'),
  'selectable-field-removed': breaking(
    ['readers'],
    'Requests with a field selector that names the field fail.',
  ),

  // Changes of fields.
  'field-added': compatible('Existing objects do not have it, and clients need not know it.'),
  'field-added-with-default': compatible('Every object has it from now on, with its default.', ['readers']),
  'required-field-added': stricter(
    values,
    'No existing object has it, and clients that do not know it cannot write. Give it a default, or make it optional.',
  ),
  'field-removed': breaking(
    all,
    'The API server prunes it: the value is lost from every object that is written, and does not come back.',
  ),
  'field-declared': stricter(
    values,
    'Unknown fields were kept here, so objects may have any value in it, and it must fit the schema now.',
  ),
  'field-undeclared': compatible('Unknown fields are kept here: values stay, and nothing is validated.', [
    'readers',
  ]),
  'required-added': stricter(
    values,
    'Objects without the field are invalid. Give it a default, or leave it optional.',
  ),
  'required-added-with-default': compatible('Where the field is missing, it gets its default.'),
  'required-removed': compatible('Readers can no longer rely on the field to be there.', ['readers']),

  // Changes of types, including nullable and format.
  'type-changed': stricter(all, 'Existing values, and what clients send, have the wrong type.'),
  'type-widened': breaking(
    ['readers'],
    'Every old value is still valid, but clients with types decode only the old ones: one new value makes the whole object unreadable for them.',
  ),
  'nullable-added': compatible('Readers may meet null.', ['readers']),
  'nullable-removed': breaking(
    all,
    'null is no longer allowed: it is pruned or replaced by the default in fields, and invalid in lists, maps and required fields.',
  ),
  'format-added': stricter(values, 'Existing values may not have the format.'),
  'format-removed': compatible('Readers may meet values in other forms.', ['readers']),
  'format-changed': stricter(all, 'Existing values have the old format.'),
  'format-widened': compatible('Readers must be able to hold greater values.', ['readers']),

  // Changes of permitted values and defaults.
  'enum-added': stricter(values, 'Other values were valid until now.'),
  'enum-removed': compatible('Readers may meet values that they do not know.', ['readers']),
  'enum-value-added': compatible('Readers may meet a value that they do not know.', ['readers']),
  'enum-value-removed': stricter(values, 'Objects and clients may use it.'),
  'bound-tightened': stricter(values, 'Values that were valid no longer are.'),
  'bound-loosened': compatible('Readers may meet values outside of the old bounds.', ['readers']),
  'pattern-added': stricter(values, 'Existing values may not match.'),
  'pattern-changed': stricter(
    values,
    'Whether every old value matches the new pattern cannot be decided here.',
  ),
  'pattern-removed': compatible('Readers may meet values in other forms.', ['readers']),
  'default-added': compatible('Objects without the field get the default, also when they are read.', [
    'readers',
  ]),
  'default-changed': breaking(
    ['stored', 'readers'],
    'Where the field was never written, it silently gets another value; new objects behave otherwise than before.',
  ),
  'default-removed': breaking(
    all,
    'Readers and required fields relied on a value; clients that left it out now write objects without it.',
  ),
  'default-interferes': stricter(
    values,
    'The default is put into existing objects, and a condition of an object around it may not hold then. That cannot be decided here.',
  ),

  // Changes of lists, maps and unknown fields.
  'list-type-changed': breaking(
    values,
    'A set or a map refuses duplicates, except in updates of objects that have some already. Server-side apply merges its items one by one, and does not know who applied those that are there.',
  ),
  'list-type-atomic': breaking(
    ['writers'],
    'Server-side apply owns the whole list from now on: appliers that each apply some of its items conflict, or remove the items of the others.',
  ),
  'list-map-keys-changed': breaking(
    values,
    'The keys say which items are the same: server-side apply merges otherwise, and other items are duplicates, which are refused except in updates of objects that have some already.',
  ),
  'list-map-keys-added': breaking(
    ['writers'],
    'The keys say which items are the same: items that differed before still do, but server-side apply no longer finds an item whose new keys are other ones.',
  ),
  'map-type-changed': breaking(
    ['writers'],
    'Server-side apply owns each field by itself from now on (granular), and does not know who applied those that are there: a field that an applier leaves out is no longer removed.',
  ),
  'map-type-atomic': breaking(
    ['writers'],
    'Server-side apply owns the whole object from now on: appliers that each apply some of its fields conflict, or remove the fields of the others.',
  ),
  'reference-atomic': compatible(
    'It has the fields of a reference of Kubernetes, which Kubernetes treats as one value in its own kinds. Appliers that each apply some of its fields conflict.',
    ['writers'],
  ),
  'merge-unaffected': compatible(
    'A list or an object around it is one value for server-side apply: nothing in it is merged, before and after.',
  ),
  'unknown-fields-pruned': breaking(
    ['stored', 'writers'],
    'Fields that the schema does not declare were kept here; now they are dropped from every object that is written.',
  ),
  'unknown-fields-kept': compatible('Fields that the schema does not declare are kept and not validated.', [
    'readers',
  ]),
  'map-values-removed': breaking(
    all,
    'The object took any keys; now the API server prunes those that the schema does not declare.',
  ),
  'map-values-added': compatible('The object takes any keys.', ['readers']),
  'embedded-resource-changed': breaking(
    values,
    'For an embedded resource apiVersion and kind are required, and its metadata is validated and kept; without it undeclared metadata is pruned.',
  ),

  // Changes of rules: CEL, and schema combinations.
  'cel-rule-added': stricter(values, 'Existing objects may not satisfy it.'),
  'cel-rule-changed': stricter(
    values,
    'Whether every object that satisfied the old rule satisfies the new one cannot be decided here.',
  ),
  'cel-rule-removed': compatible('Less is demanded.'),
  'cel-message-changed': compatible('The rule is the same; a refusal reads otherwise.'),
  'combination-added': stricter(values, 'Existing objects may not satisfy it.'),
  'combination-changed': stricter(
    values,
    'Whether everything that was valid still is cannot be decided here.',
  ),
  'combination-loosened': compatible('Less is demanded.'),
  'keyword-changed': breaking(all, 'op-sdk does not know what follows from it.'),
  documentation: compatible('For people only.'),
} as const satisfies Record<string, ChangeKind>;

/** Code of a change. The codes are stable. */
export type ChangeCode = keyof typeof changeCodes;
