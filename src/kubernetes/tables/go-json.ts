import { canonicalQuantity, isQuantity, roundedQuantity } from '../../base/util/quantity.ts';
import { isObject, type Json, type JsonObject } from '../objects/index.ts';
import { goForms } from './generated/go-forms.ts';
import { knownTypes, tableSchema, type TableSchema } from './names.ts';

/**
 * The way in which Go writes a field:
 *
 * - `scalar`: omitted if it is zero; `kept`: written although it is zero
 * - `list`: a list or map that is omitted if it is empty
 * - `pointer`: omitted if it is absent, kept if it is zero; `nullable`: written as null if it is absent
 * - `struct`: always written, as `{}` if it is empty; `omitted`: a struct that is omitted if it is empty
 * - `quantity`, `number`: always written, as `"0"` and `0` if it is absent
 */
type GoForm =
  'scalar' | 'kept' | 'list' | 'pointer' | 'nullable' | 'struct' | 'omitted' | 'quantity' | 'number';

interface GoField {
  readonly name: string;
  readonly form: GoForm;
  /** The zero value of a field that is always written. */
  readonly zero: Json;
  /** The type of the value, or of the items of the list or map; undefined for scalars. */
  readonly type: string | undefined;
  /** `amounts`: a map of quantities, which the server rounds up to thousandths. */
  readonly holds: 'one' | 'items' | 'values' | 'amounts';
}

const quantityType = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const metadataType = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const plans = new Map<string, readonly GoField[]>();

/**
 * Normalises an object to the JSON that Go writes for a built-in type, in place: omits empty values, adds those that Go always writes, and
 * brings quantities to their canonical form. Metadata only loses its empty values.
 *
 * @param type name in the table of schemas, such as `io.k8s.api.apps.v1.Deployment`
 * @param refuse called with text in the place of a quantity that is not a quantity
 */
export function normalizeGoJson(object: JsonObject, type: string, refuse?: Refuse): void {
  for (const field of planOf(type)) normalizeField(object, field, refuse);
}

type Refuse = (text: string) => void;

function normalizeField(
  object: JsonObject,
  { name, form, zero, type, holds }: GoField,
  refuse: Refuse | undefined,
): void {
  let value = object[name];
  if (value === null) {
    delete object[name];
    value = undefined;
  }
  if (value === undefined) {
    if (form === 'struct') value = object[name] = {};
    else if (form === 'kept' || form === 'nullable' || form === 'quantity' || form === 'number')
      object[name] = zero;
    if (value === undefined) return;
  }
  if (type !== undefined) object[name] = value = normalizeValue(value, type, holds, refuse);
  if (isZero(value, form)) delete object[name];
  // The server stores no empty lists: it reads them back as null.
  else if (form === 'nullable' && Array.isArray(value) && value.length === 0) object[name] = null;
}

function normalizeValue(
  value: Json,
  type: string,
  holds: GoField['holds'],
  refuse: Refuse | undefined,
): Json {
  if (holds === 'items' && Array.isArray(value))
    return value.map((item) => normalizeValue(item, type, 'one', refuse));
  if (holds === 'amounts' && isObject(value)) {
    for (const [key, item] of Object.entries(value))
      value[key] = normalizeValue(item, type, 'amounts', refuse);
    return value;
  }
  if (holds === 'values' && isObject(value)) {
    for (const [key, item] of Object.entries(value)) value[key] = normalizeValue(item, type, 'one', refuse);
    return value;
  }
  if (type === quantityType) {
    if (typeof value !== 'string' && typeof value !== 'number') return value ?? '0';
    if (!isQuantity(value)) refuse?.(String(value));
    return holds === 'amounts' ? roundedQuantity(value) : canonicalQuantity(value);
  }
  if (holds === 'one' && isObject(value)) {
    if (type === metadataType) dropEmptyMetadata(value);
    else normalizeGoJson(value, type, refuse);
  }
  return value;
}

/** Omits empty values of the metadata of a template. */
function dropEmptyMetadata(metadata: JsonObject): void {
  for (const [name, value] of Object.entries(metadata)) {
    const isEmptyMap = isObject(value) && Object.keys(value).length === 0;
    if (
      value === null ||
      value === '' ||
      value === 0 ||
      isEmptyMap ||
      (Array.isArray(value) && value.length === 0)
    )
      delete metadata[name];
  }
}

function isZero(value: Json, form: GoForm): boolean {
  if (form === 'scalar') return value === '' || value === 0 || value === false;
  if (form === 'omitted') return isObject(value) && Object.keys(value).length === 0;
  if (form !== 'list') return false;
  if (Array.isArray(value)) return value.length === 0;
  return value === '' || (isObject(value) && Object.keys(value).length === 0);
}

function planOf(type: string): readonly GoField[] {
  const known = plans.get(type);
  if (known !== undefined) return known;
  const plan: GoField[] = [];
  plans.set(type, plan);
  const unusual = new Map(
    (Object.hasOwn(goForms, type) ? (goForms[type] ?? '') : '').split(' ').flatMap((part) => {
      const [form = '', names = ''] = part.split(':');
      return names.split(',').map((name): [string, GoForm] => [name, form as GoForm]);
    }),
  );
  for (const [name, schema] of Object.entries(tableSchema(type)?.properties ?? {})) {
    const own = fieldOf(name, schema, unusual.get(name));
    if (own !== undefined) plan.push(own);
  }
  return plan;
}

function fieldOf(name: string, schema: TableSchema, unusual: GoForm | undefined): GoField | undefined {
  if (name === 'apiVersion' || name === 'kind')
    return unusual === 'kept' ? undefined : plainField(name, 'scalar');
  const items = schema.items ?? schema.additionalProperties;
  const type = items?.$ref ?? schema.$ref;
  const holds =
    schema.items !== undefined
      ? 'items'
      : schema.additionalProperties === undefined
        ? 'one'
        : type === quantityType
          ? 'amounts'
          : 'values';
  const isStructure = type !== undefined && (type === quantityType || !Object.hasOwn(knownTypes, type));
  const usual =
    items !== undefined
      ? 'list'
      : schema.$ref !== undefined || schema.type === 'object'
        ? 'pointer'
        : 'scalar';
  const form = unusual ?? (type === metadataType ? 'struct' : usual);
  const zero = form === 'quantity' ? '0' : form === 'nullable' ? null : zeroOf(schema);
  return { name, form, zero, type: isStructure || type === metadataType ? type : undefined, holds };
}

const plainField = (name: string, form: GoForm): GoField => ({
  name,
  form,
  zero: '',
  type: undefined,
  holds: 'one',
});

function zeroOf({ type }: TableSchema): Json {
  if (type === 'boolean') return false;
  return type === 'integer' || type === 'number' || type === undefined ? 0 : '';
}
