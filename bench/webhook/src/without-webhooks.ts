import { run } from './operator.ts';

await run([]);
