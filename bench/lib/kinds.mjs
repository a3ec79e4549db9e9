import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fields = Array.from({ length: 24 }, (_, index) => {
  const types = ['string', 'Int32', 'boolean', "'a' | 'b' | 'c'", 'string[]', 'Record<string, string>'];
  return `  /** Field ${index} of the kind.\n   * ${index % types.length === 1 ? '@minimum 1' : '@title Field'} */\n  field${index}${index % 3 === 0 ? '' : '?'}: ${types[index % types.length]};`;
}).join('\n');

/** Writes `count` kinds of 24 fields each, one file a kind, below `folder`. */
export function writeKinds(folder, count) {
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < count; index += 1) {
    const kind = `Kind${String.fromCharCode(65 + (index % 26))}${index}`;
    writeFileSync(
      join(folder, `${kind.toLowerCase()}.ts`),
      `import { defineResource, type Condition, type CustomResource, type Int32, type ListMap } from 'opsdk';

export interface ${kind}Spec {
${fields}
}

export interface ${kind}Status {
  conditions?: ListMap<Condition, 'type'>;
}

/** ${kind} is made for measuring. */
export interface ${kind} extends CustomResource {
  spec: ${kind}Spec;
  status?: ${kind}Status;
}

export const ${kind} = defineResource<${kind}>({ group: 'bench.example.com', version: 'v1', kind: '${kind}' });
`,
    );
  }
}
