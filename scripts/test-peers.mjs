// `npm run test:peers`: op-sdk beside the tools it must agree with. A peer that cannot be had is a visible skip.
import { ensureBuild, ensureDependencies } from './lib/provision.mjs';

await ensureDependencies();
await ensureBuild();
