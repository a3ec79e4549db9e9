// Kinds whose fields schemas of zod describe, each in a module of its own that imports one of all: for comparisons with other builds.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const project = `domain: example.com
layout:
- typescript.opsdk.dev/v1
multigroup: true
projectName: bench
version: "3"
`;

const common = `import { z } from 'zod';
export const port = z.object({
  name: z.string().min(1).max(15),
  port: z.int32().min(1).max(65535),
  protocol: z.enum(['TCP', 'UDP', 'SCTP']).default('TCP'),
});
export const condition = z.object({ type: z.string(), status: z.enum(['True', 'False', 'Unknown']), message: z.string().optional() });
`;

const schema = (kind) => `import { z } from 'zod';
import { condition, port } from './common.ts';

const storage = z.object({ size: z.string().regex(/^[0-9]+(Mi|Gi)$/), className: z.string().optional() });

export const schema = z.object({
  spec: z.object({
    replicas: z.int32().min(0).max(100).default(1).describe('Replicas of ${kind}.'),
    image: z.string().min(1).max(253).describe('Image of ${kind}.'),
    mode: z.enum(['Fast', 'Safe', 'Off']).default('Safe'),
    paused: z.boolean().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    args: z.array(z.string()).max(32).optional(),
    ports: z.array(port).max(16).optional(),
    storage: storage.optional(),
    backup: z.object({ schedule: z.string().min(1), keep: z.int32().min(1).default(3), target: z.object({ url: z.string().regex(/^https?:/), bucket: z.string().optional() }).optional() }).optional(),
  }),
  status: z.object({ readyReplicas: z.int32().optional(), conditions: z.array(condition).optional() }).optional(),
});
`;

const declaration = (kind) => `import { defineResource, type ObjectOf } from 'opsdk';
import { schema } from './${kind.toLowerCase()}.schema.ts';
export const ${kind} = defineResource({ group: 'bench.example.com', version: 'v1', kind: '${kind}', schema });
export type ${kind} = ObjectOf<typeof ${kind}>;
`;

/** @param {string} packages the node_modules folder that has zod */
export function writeZodKinds(folder, count, packages) {
  const write = (name, text) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write('PROJECT', project);
  write('package.json', '{ "type": "module" }');
  write('src/api/common.ts', common);
  for (let index = 0; index < count; index += 1) {
    const kind = `Kind${String.fromCharCode(65 + (index % 26))}${index}`;
    write(`src/api/${kind.toLowerCase()}.schema.ts`, schema(kind));
    write(`src/api/${kind.toLowerCase()}.ts`, declaration(kind));
  }
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(packages, 'zod'), join(folder, 'node_modules', 'zod'));
}
