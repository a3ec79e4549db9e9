import { lost, plainFields, type Addition, type Inspection, type Loss, type Unknown } from './losses.ts';

type Path = readonly string[];

/** Transformations that change only the type. */
const harmless: ReadonlySet<unknown> = new Set(['brand', 'flavor', 'readonly']);

/** Finds what valibot leaves out of its JSON Schema without a word; of checks of one's own it says so itself. */
export function valibotLosses(schema: Unknown): Inspection {
  const losses: Loss[] = [];
  const additions: Addition[] = [];
  const visiting = new Set<Unknown>();
  const visit = (value: unknown, path: Path): void => {
    const part = plainFields(value);
    if (part === undefined || visiting.has(part)) return;
    visiting.add(part);
    const pipe = list(part['pipe']);
    const transforms = pipe.some((action) => {
      const { kind, type } = plainFields(action) ?? {};
      return kind === 'transformation' && !harmless.has(type);
    });
    if (transforms) losses.push({ path, ...lost.transform });
    if (part['type'] === 'loose_object') additions.push({ path, keyword: 'additionalProperties', value: {} });
    if (part['fallback'] !== undefined) losses.push({ path, ...lost.fallback });
    // The first of a pipe is the schema around it, without the pipe.
    for (const action of pipe.slice(1)) if (plainFields(action)?.['kind'] === 'schema') visit(action, path);
    for (const [step, inner] of partsOf(part)) visit(inner, step === undefined ? path : [...path, step]);
    visiting.delete(part);
  };
  visit(schema, []);
  return { losses, additions };
}

function partsOf(part: Unknown): readonly (readonly [string | undefined, unknown])[] {
  const getter = part['getter'];
  return [
    ...Object.entries(Array.isArray(part['entries']) ? {} : (plainFields(part['entries']) ?? {})),
    ['[]', part['item']],
    ...list(part['items']).map((item) => ['[]', item] as const),
    ['{}', part['value']],
    ['{}', part['rest']],
    [undefined, part['key']],
    [undefined, part['wrapped']],
    ...list(part['options']).map((option) => [undefined, option] as const),
    ...(part['type'] === 'lazy' && typeof getter === 'function'
      ? [[undefined, (getter as (input: unknown) => unknown)(undefined)] as const]
      : []),
  ];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
