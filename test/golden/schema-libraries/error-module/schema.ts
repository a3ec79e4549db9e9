import { readFileSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { z } from 'zod';
import { defineResource } from 'opsdk';
import { helper } from './helper.ts';

export type Kept = Stats;
void [readFileSync, defineResource];
export const schema = z.object({ spec: z.object({ a: helper, b: z.lazy(() => require('x')) }) });
