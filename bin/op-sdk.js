#!/usr/bin/env node
// Any Node must be able to read this file: no import, and no syntax newer than import(), before its version is known.
var version = process.versions.node.split('.').map(Number);

if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  var code = 'cli/unsupported-node';
  console.error(
    'error[' +
      code +
      ']: expected Node 20.19 or newer, got ' +
      process.versions.node +
      '\n  at ' +
      process.execPath +
      '\n  fix: install Node 20.19, 22 or 24, and put it first on the PATH',
  );
  process.exitCode = 1;
} else {
  // Absent on Node 20; saves a third of the start-up time where it exists.
  var module = process.getBuiltinModule('node:module');
  if (module.enableCompileCache) module.enableCompileCache();
  // Replaced in the end. Should Node run out of work before, that is a defect.
  process.exitCode = 70;
  import('../dist/op-sdk/start.js')
    .then(function (cli) {
      return cli.start(process.argv.slice(2));
    })
    .then(function (code) {
      process.exitCode = code;
    });
}
