#!/usr/bin/env node
import module from 'node:module';

// Absent on Node 20; saves a third of the start-up time where it exists.
module.enableCompileCache?.();
const { main } = await import('../dist/cli/main.js');
process.exitCode = await main(process.argv.slice(2));
