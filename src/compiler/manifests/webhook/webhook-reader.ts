import { list, number, object, record, string, type ReadFields } from '../../../base/util/json-reader.ts';
import { unexpected, type JsonReader } from '../../../base/util/read-json.ts';

const selector = object({
  matchLabels: record(string),
  matchExpressions: list(
    object(
      { key: string, operator: string, values: list(string) },
      { required: { key: 'add the `key` of a label', operator: "add `operator: 'NotIn'` or another one" } },
    ),
  ),
});

/** Values are judged by the rules for the documents that are made of them. */
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

/** Settings of one webhook, under their names in the configuration. */
export type WebhookSettings = ReadFields<
  typeof settings & { readonly reinvocationPolicy: JsonReader<string> }
>;

/** Refuses a value in place of a function: those that are known to be functions are removed before. */
const aFunction: JsonReader<never> = (value, place) =>
  unexpected(value, place, 'a function', 'write a method or a function, or leave it out');

const onlyForDefaults = 'set it in `defaulting: { … }`';
const ofOne = 'set it in `defaulting: { … }` or `validation: { … }`';

/** The argument of `defineWebhook` without its functions. */
export const webhookReader = object(
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
