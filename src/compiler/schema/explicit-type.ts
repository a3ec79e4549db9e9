import type { JSONSchemaProps } from '../../kubernetes/crd/json-schema-props.ts';
import { enumeration } from './number-schema.ts';
import type { Doc, Form } from './shape.ts';
import { k8sOverrides, saysType } from './tags/k8s.ts';

/** True if `@k8s` tags give a field another type than its own, which is then not looked into. */
export function hasExplicitType(docs: readonly Doc[], form: Form): boolean {
  const overrides = k8sOverrides(docs);
  return saysType(overrides) && replacesType(overrides, form);
}

/**
 * True if overrides that give a type leave nothing of the field's own.
 * @param overrides with a type; see `saysType`
 */
export function replacesType(overrides: JSONSchemaProps, form: Form): boolean {
  if (form.kind === 'number') return true;
  if (form.kind === 'refused') return form.escapable;
  // Members that do not go together are no less refused than other types.
  if (form.kind === 'union' && overrides.type !== undefined) return true;
  const other =
    overrides['x-kubernetes-int-or-string'] === true || (overrides.type ?? typeOf(form)) !== typeOf(form);
  return other || (overrides.items ?? overrides.additionalProperties) !== undefined;
}

function typeOf(form: Form): string | undefined {
  if (form.kind === 'fixed') return form.schema.type;
  if (form.kind === 'enum') return enumeration(form.values).type;
  return form.kind === 'record' || form.kind === 'union' ? 'object' : form.kind;
}
