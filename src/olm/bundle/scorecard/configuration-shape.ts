import type { Shape } from '../validate/csv-shape/shape.ts';

const text: Shape = { form: 'text' };
const object = (fields: Readonly<Record<string, Shape>>): Shape => ({ form: 'object', fields, required: [] });
const list = (items: Shape): Shape => ({ form: 'list', items });

const storage = object({ spec: object({ mountPath: object({ path: text }) }) });

/** Shape of a scorecard configuration, with each field name in its canonical case. */
export const configurationShape: Shape = object({
  apiVersion: text,
  kind: text,
  metadata: object({ name: text }),
  serviceaccount: text,
  storage,
  stages: list(
    object({
      parallel: { form: 'boolean' },
      tests: list(
        object({ image: text, uniqueID: text, entrypoint: list(text), labels: { form: 'texts' }, storage }),
      ),
    }),
  ),
});
