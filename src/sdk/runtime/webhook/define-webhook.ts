import type { KubeObject, Resource } from '../../api/index.ts';
import { FindingList } from '../../../base/errors/index.ts';
import { defaultWebhookPath } from '../../../base/util/kubernetes-words.ts';
import type { AdmissionSettings, Webhook, WebhookOptions } from './webhook.ts';

/** Values that the API server accepts for the enumerated settings of a webhook. Source: admissionregistration.k8s.io/v1. */
const choices = {
  failurePolicy: ['Fail', 'Ignore'],
  // The API defines further values of `sideEffects`, but only for v1beta1.
  sideEffects: ['None', 'NoneOnDryRun'],
  matchPolicy: ['Equivalent', 'Exact'],
  reinvocationPolicy: ['Never', 'IfNeeded'],
} as const;

/** URL path of the conversion webhook. */
export const CONVERSION_PATH = '/convert';

/**
 * Declares the admission webhooks of a kind. After `manager.add`, the operator serves these webhooks; `op-sdk generate manifests` writes
 * their configurations.
 *
 * @throws OpSdkError `runtime/invalid-webhook` with all findings: a missing function, `timeoutSeconds` outside 1 to 30, a path that does
 * not begin with `/`, a value that the API does not define
 *
 * @example
 * export const memcachedWebhook = defineWebhook(Memcached, {
 *   default(memcached) {
 *     memcached.spec.size ??= 3;
 *   },
 *   validate: {
 *     create: ({ spec }) => (spec.size % 2 === 1 ? [] : [{ path: '.spec.size', message: 'must be odd', value: spec.size }]),
 *   },
 * });
 */
export function defineWebhook<T extends KubeObject>(
  kind: Resource<T>,
  options: WebhookOptions<T>,
): Webhook<T> {
  const { defaulting, validation } = options;
  const webhook: Webhook<T> = {
    role: 'webhook',
    for: kind,
    options,
    defaultingPath:
      options.default === undefined
        ? undefined
        : (defaulting?.path ?? defaultWebhookPath('defaulting', kind)),
    validationPath: validates(options)
      ? (validation?.path ?? defaultWebhookPath('validation', kind))
      : undefined,
  };
  checkDeclaration(webhook);
  return webhook;
}

/** Returns true if `validate` contains at least one function, because `validate` may be an object without functions. */
function validates<T extends KubeObject>({ validate }: WebhookOptions<T>): boolean {
  const { create, update, delete: remove } = functionsOf(validate);
  return create !== undefined || update !== undefined || remove !== undefined;
}

/**
 * Checks the declaration of a webhook at run time, so that computed values are checked, too. The rules are those that `op-sdk generate
 * manifests` applies to literals.
 *
 * @throws OpSdkError `runtime/invalid-webhook` with all findings
 */
function checkDeclaration<T extends KubeObject>(webhook: Webhook<T>): void {
  const findings = new FindingList();
  const { options } = webhook;
  const refuse = (path: string, message: string, fix: string): void =>
    findings.add({
      code: 'runtime/invalid-webhook',
      message: path === '' ? message : `${path}: ${message}`,
      where: { object: webhookName(webhook.for), ...(path === '' ? {} : { path }) },
      fix: [fix],
    });

  const functions = {
    default: functionsOf(options)['default'],
    ...Object.fromEntries(
      Object.entries(functionsOf(options.validate)).map(([name, value]) => [`validate.${name}`, value]),
    ),
  };
  for (const [path, value] of Object.entries(functions))
    if (value !== undefined && typeof value !== 'function')
      refuse(path, `expected a function, got ${describe(value)}`, 'give a function, or leave it out');
  if (webhook.defaultingPath === undefined && webhook.validationPath === undefined)
    refuse(
      '',
      'expected `default` or a function of `validate`, got neither',
      'write default(object) { … } or validate: { create(object) { … } }',
    );

  const groups = [
    ['', options],
    ['defaulting.', options.defaulting],
    ['validation.', options.validation],
  ] as const;
  for (const [prefix, settings] of groups)
    if (settings !== undefined)
      checkSettings(settings, (path, message, fix) => refuse(`${prefix}${path}`, message, fix));

  const { defaultingPath, validationPath } = webhook;
  if (defaultingPath !== undefined) checkPath('defaulting.path', defaultingPath, refuse);
  if (validationPath !== undefined) checkPath('validation.path', validationPath, refuse);
  if (defaultingPath !== undefined && defaultingPath === validationPath)
    refuse(
      'validation.path',
      `expected another path than that of defaulting, got ${defaultingPath} for both`,
      'give each its own path, or leave both out',
    );
  for (const subresource of options.subresources ?? [])
    if (!/^[a-z][a-z0-9-]*$/.test(subresource))
      refuse(
        'subresources',
        `expected names of subresources, got ${describe(subresource)}`,
        "name them, such as ['status']",
      );
  findings.throwIfAny();
}

type Refuse = (path: string, message: string, fix: string) => void;

function checkSettings(settings: AdmissionSettings, refuse: Refuse): void {
  const values = functionsOf(settings);
  for (const [name, allowed] of Object.entries(choices)) {
    const value = values[name];
    if (value !== undefined && !(allowed as readonly unknown[]).includes(value))
      refuse(name, `expected ${allowed.join(' or ')}, got ${describe(value)}`, `use ${allowed.join(' or ')}`);
  }
  const { timeoutSeconds, matchConditions = [] } = settings;
  if (
    timeoutSeconds !== undefined &&
    !(Number.isInteger(timeoutSeconds) && timeoutSeconds >= 1 && timeoutSeconds <= 30)
  )
    refuse(
      'timeoutSeconds',
      `expected a whole number from 1 to 30, got ${describe(timeoutSeconds)}`,
      'give the seconds that the API server waits, or leave it out: it waits 10',
    );
  const names = new Set<string>();
  for (const { name } of matchConditions) {
    if (names.has(name))
      refuse('matchConditions', `duplicate name ${name}`, 'give each condition its own name');
    names.add(name);
  }
}

function checkPath(path: string, value: string, refuse: Refuse): void {
  if (!/^\/(?:[\w.~-]+\/)*[\w.~-]+$/.test(value) || /\/\.{1,2}(\/|$)/.test(value))
    refuse(
      path,
      `expected a path of letters, digits, -, _, . and ~ that begins with /, got ${describe(value)}`,
      'write a path such as /validate-memcached',
    );
  else if (value === CONVERSION_PATH)
    refuse(path, `expected another path than ${CONVERSION_PATH}, which serves conversions`, 'choose another');
}

/** Returns the name of a webhook in messages: `webhook of Memcached.v1.cache.example.com`. */
export function webhookName({ kind, group, version }: Resource): string {
  return `webhook of ${kind}.${version}${group === '' ? '' : `.${group}`}`;
}

/** Returns the given object with each property typed as unknown, because JavaScript callers may pass properties of any type. */
function functionsOf(options: object | undefined): Readonly<Record<string, unknown>> {
  return (options ?? {}) as Readonly<Record<string, unknown>>;
}

function describe(value: unknown): string {
  return typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
}
