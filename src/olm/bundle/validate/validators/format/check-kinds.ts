import type { Check } from '../../types.ts';

/** Refuses what cannot be read as an object at all. Source: apimachinery `Unstructured.UnmarshalJSON`. */
export const checkSupportedKinds: Check<'format'> = ({ objects }, { error }) => {
  for (const object of objects) {
    if (object.kind === '')
      error(
        'io/not-an-object',
        [object, []],
        'the object has no kind',
        'complete the object, or remove the file',
      );
  }
};
