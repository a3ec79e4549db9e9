import type { JsonObject } from '../json.ts';
import { unsupportedHere } from '../unsupported.ts';

/** The parts of an object in an answer: all, or only its metadata (PartialObjectMetadata). */
export type Form = 'whole' | 'metadata';

/** Parses an Accept header. @throws OpSdkError `testapi/unsupported` */
export function formOf(accept: string | undefined): Form {
  const choices = (accept ?? '*/*').split(',').map((choice) => choice.replaceAll(' ', ''));
  for (const choice of choices) {
    if (/;as=PartialObjectMetadata(List)?\b/.test(choice)) return 'metadata';
    if (!choice.includes(';as=') && /^(?:application\/json|application\/\*|\*\/\*)/.test(choice))
      return 'whole';
  }
  throw unsupportedHere(`answers of the form ${accept ?? ''}`, 'ask for application/json');
}

export function inForm(object: JsonObject, form: Form): JsonObject {
  if (form === 'whole') return object;
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object['metadata'] ?? {} };
}
