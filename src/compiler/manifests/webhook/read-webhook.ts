import type { FindingList } from '../../../base/errors/index.ts';
import type {
  Evaluated,
  SourcePlace,
  SourceProgram,
  TokenInfo,
  WebhookDeclaration,
} from '../../schema/index.ts';
import { isFunctionProperty, opaqueParts, placeAt } from '../../source/index.ts';
import { invalidDeclaration, readDeclaration } from '../declaration.ts';
import { list, number, object, record, string, type ReadFields } from '../../../base/util/json-reader.ts';
import { unexpected, type JsonReader } from '../../../base/util/read-json.ts';

/** Operations for which `validate` may have functions, in the order in which the configuration lists them. */
const validatedOperations = ['create', 'update', 'delete'] as const;
type ValidatedOperation = (typeof validatedOperations)[number];

/** One of the two webhooks, defaulting or validation, that a `defineWebhook` call can declare. */
export interface DeclaredWebhook {
  readonly role: 'defaulting' | 'validation';
  readonly kind: TokenInfo;
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE')[];
  /** Settings of this webhook, including those that the call sets for both webhooks. */
  readonly settings: WebhookSettings;
  readonly subresources: readonly string[];
  /** Path as the author wrote it; undefined if the default applies. */
  readonly path: string | undefined;
  /** Place of the `defineWebhook` call. */
  readonly place: SourcePlace;
  /** Place where the call names the kind. */
  readonly kindPlace: SourcePlace;
  /**
   * Returns the place of a property of the options, or of a part of the property. If the property is not written, returns the place of the
   * call.
   */
  readonly placeOf: (property: string, ...path: readonly (string | number)[]) => SourcePlace;
}

const kindFix =
  'name a `const` of defineResource, a kind of opsdk/k8s/<group>/<version>, or externalResource({ group, version, kind, plural, scope }) with literals';

/** Returns the webhooks that one `defineWebhook` call declares. Parts that cannot be read become findings. */
export function readWebhook(
  findings: FindingList,
  source: SourceProgram,
  { resource, options, place }: WebhookDeclaration,
): readonly DeclaredWebhook[] {
  const kind = readKind(findings, resource, place);
  if (options === undefined) {
    const fix = 'write { default, validate } with at least one of them';
    findings.add(invalidDeclaration('defineWebhook: expected an object with functions', place, fix));
    return [];
  }
  const functions = new Set<string>();
  const settings = withoutFunctions(source, options, functions);
  findings.add(...opaqueParts(settings).map(({ finding }) => finding));
  const { value: read, problems } = readDeclaration(findings, webhookReader, settings, 'defineWebhook');
  if (read === undefined) return [];
  const { defaulting, validation, validate, subresources = [], ...shared } = read;
  const hasUnknown = opaqueParts(settings).length > 0 || problems.length > 0;
  const operations = validatedOperations.filter((name) => functions.has(`validate.${name}`));
  const at = (...path: readonly (string | number)[]): SourcePlace => placeAt(options, path, true);
  const invalid = (message: string, where: SourcePlace, fix: string): void =>
    findings.add(invalidDeclaration(message, where, fix));
  if (!hasUnknown) {
    if (!functions.has('default') && validate === undefined)
      invalid('defineWebhook has neither `default` nor `validate`', place, 'add at least one of them');
    if (validate !== undefined && operations.length === 0)
      invalid(
        '`validate` has no function',
        at('validate'),
        'add `create`, `update` or `delete`, or remove `validate`',
      );
    if (defaulting !== undefined && !functions.has('default'))
      invalid(
        '`defaulting` has no effect without `default`',
        at('defaulting'),
        'add `default`, or remove `defaulting`',
      );
    if (validation !== undefined && validate === undefined)
      invalid(
        '`validation` has no effect without `validate`',
        at('validation'),
        'add `validate`, or remove `validation`',
      );
  }
  if (kind === undefined) return [];
  const webhook = (
    role: DeclaredWebhook['role'],
    part: (WebhookSettings & { readonly path?: string }) | undefined,
    names: readonly ValidatedOperation[],
  ): DeclaredWebhook => {
    const { path, ...own } = part ?? {};
    return {
      role,
      kind,
      operations: names.map((name) => name.toUpperCase() as Uppercase<ValidatedOperation>),
      settings: { ...shared, ...own },
      subresources,
      path,
      place,
      kindPlace: resource?.place ?? place,
      placeOf: (setting, ...rest) => {
        const isOwn = setting === 'path' || (part !== undefined && Object.hasOwn(part, setting));
        const full = isOwn ? [role, setting, ...rest] : [setting, ...rest];
        const found = placeAt(options, full);
        // A problem with a property that is not written is reported at the call.
        return found === options.place ? place : found;
      },
    };
  };
  return [
    ...(functions.has('default') ? [webhook('defaulting', defaulting, ['create', 'update'])] : []),
    ...(operations.length > 0 ? [webhook('validation', validation, operations)] : []),
  ];
}

function readKind(
  findings: FindingList,
  resource: Evaluated | undefined,
  call: SourcePlace,
): TokenInfo | undefined {
  if (resource?.type === 'token') return resource.token;
  if (resource?.type === 'opaque') {
    findings.add({ ...resource.finding, fix: [...(resource.finding.fix ?? []), kindFix] });
    return undefined;
  }
  findings.add({
    code: 'manifests/unresolved-resource',
    message: 'defineWebhook: expected a resource of defineResource or opsdk/k8s/* as the first argument',
    where: resource?.place ?? call,
    fix: [kindFix],
  });
  return undefined;
}

/** Removes the functions from the options, and adds their names, such as `default` or `validate.create`, to the set. */
function withoutFunctions(
  source: SourceProgram,
  options: Evaluated,
  functions: Set<string>,
  prefix = '',
): Evaluated {
  if (options.type !== 'object') return options;
  const names: readonly string[] = prefix === '' ? ['default'] : validatedOperations;
  const properties = [...options.properties].flatMap(([name, property]) => {
    if (names.includes(name) && isFunctionProperty(source, property)) {
      functions.add(`${prefix}${name}`);
      return [];
    }
    if (prefix !== '' || name !== 'validate') return [[name, property] as const];
    const value = withoutFunctions(source, property.value, functions, 'validate.');
    return [[name, { ...property, value }] as const];
  });
  return { ...options, properties: new Map(properties) };
}

const selector = object({
  matchLabels: record(string),
  matchExpressions: list(
    object(
      { key: string, operator: string, values: list(string) },
      { required: { key: 'add the `key` of a label', operator: "add `operator: 'NotIn'` or another one" } },
    ),
  ),
});

/** Only the types of the settings are checked here. Their values are checked later in the generated documents. */
const settings = {
  failurePolicy: string,
  sideEffects: string,
  timeoutSeconds: number,
  matchPolicy: string,
  matchConditions: list(
    object(
      { name: string, expression: string },
      { required: { name: "add `name: '…'`", expression: "add `expression: '…'`" } },
    ),
  ),
  namespaceSelector: selector,
  objectSelector: selector,
};

const reinvocationPolicy = string;

/** Settings of one webhook, with the names that the configuration uses. */
type WebhookSettings = ReadFields<typeof settings & { readonly reinvocationPolicy: JsonReader<string> }>;

/**
 * Rejects any value of a property that must be a function. Functions are removed from the options beforehand, so a remaining value is
 * wrong.
 */
const aFunction: JsonReader<never> = (value, place) =>
  unexpected(value, place, 'a function', 'write a method or a function, or leave it out');

const onlyForDefaults = 'set it in `defaulting: { … }`';
const ofOne = 'set it in `defaulting: { … }` or `validation: { … }`';

/** Reader for the argument of `defineWebhook` without its functions. */
const webhookReader = object(
  {
    ...settings,
    default: aFunction,
    validate: object({ create: aFunction, update: aFunction, delete: aFunction }),
    subresources: list(string),
    defaulting: object({ ...settings, reinvocationPolicy, path: string }),
    validation: object({ ...settings, path: string }, { hints: { reinvocationPolicy: onlyForDefaults } }),
  },
  { hints: { reinvocationPolicy: onlyForDefaults, path: ofOne } },
);
