import type { ExplainedCodes } from '../../base/errors/index.ts';

export const cliCodes = {
  'cli/unsupported-node': {
    title: 'This Node is too old',
    explain:
      'op-sdk runs on Node 20.19 and newer; the message has the version and the path of the Node that was started. `node --version` says which one is first on the PATH.',
  },
  'cli/interrupted': {
    exitCode: 130,
    title: 'The command was interrupted',
    explain:
      'SIGINT, SIGTERM, SIGHUP (the terminal was closed), or Ctrl-C at a question ended the command. Files are written whole or not at all, so nothing is half-written.',
  },
  'cli/defect': {
    exitCode: 70,
    title: 'op-sdk itself failed',
    explain:
      'This is a bug in op-sdk, not your mistake: please report it with what the command printed on stderr.',
  },
  'cli/unknown-command': {
    exitCode: 2,
    title: 'An unknown command',
    explain: 'op-sdk does not have this command. `op-sdk --help` lists the commands.',
  },
  'cli/unknown-flag': {
    exitCode: 2,
    title: 'An unknown flag',
    explain: 'The command does not have this flag. `op-sdk <command> --help` lists its flags.',
  },
  'cli/missing-value': {
    exitCode: 2,
    title: 'A flag or argument is missing',
    explain:
      'A value that the command needs was not given. On a terminal op-sdk asks for it; in a script, in CI and with `-o json` it must be given as a flag.',
  },
  'cli/invalid-value': {
    exitCode: 2,
    title: 'A flag or argument has a value that is not allowed',
    explain: 'The message names the flag, the value, and what is allowed.',
  },
  'cli/unexpected-argument': {
    exitCode: 2,
    title: 'There are too many arguments',
    explain: 'The command takes fewer arguments. Flags need a leading `--`; values with blanks need quotes.',
  },
} satisfies ExplainedCodes;

export const ioCodes = {
  'io/cannot-read': {
    title: 'A file cannot be read',
    explain: 'The file exists but the operating system refuses to let op-sdk read it. Check its permissions.',
  },
  'io/cannot-write': {
    title: 'A file cannot be written',
    explain:
      'The operating system refuses the write: a read-only folder, missing permissions, or a full disk. Nothing was changed: all files are first written beside their targets and renamed only when every one is complete.',
  },
  'io/not-found': {
    title: 'A file or folder does not exist',
    explain: 'A file that the command needs is missing.',
  },
  'io/yaml-syntax': {
    title: 'A YAML file cannot be parsed',
    explain:
      'The file is not valid YAML, or text follows the end of its document. In files that op-sdk writes, duplicate keys and aliases that expand without limit are errors too, and duplicate keys in all files of a kustomization.',
  },
  'io/yaml-ambiguous': {
    title: 'A plain YAML value means different things to different tools',
    explain:
      "Kubernetes' own tools read YAML 1.1, in which `on`, `yes` and `n` are booleans and `0644` is octal; YAML 1.2 reads strings and decimal numbers. op-sdk refuses to guess: quote strings, write booleans as `true` and `false`, and numbers in decimal.",
  },
  'io/yaml-not-json': {
    title: 'A YAML value has no exact JSON form',
    explain:
      'Kubernetes objects are JSON. NaN, infinities, integers beyond 2^53-1, keys that are not scalars, unknown tags and aliases that contain themselves cannot be kept as they are.',
  },
  'io/not-an-object': {
    title: 'A document is not a Kubernetes object',
    explain: 'Every object of a manifest has an apiVersion, a kind and a metadata.name.',
  },
  'io/too-large': {
    title: 'A file or a stream is larger than op-sdk reads',
    explain:
      'Input is read up to a limit, so that no file or URL can use up all memory: 20 MiB of text, 1,000,000 lines, 1,000,000 escapes in quoted text, 500,000 values with aliases written out, 400 levels of nesting, for all files of one command together; `import crd` takes as much of each file. Split the input into smaller files, and run a command that reads them all together for each part.',
  },
} satisfies ExplainedCodes;

export const netCodes = {
  'net/invalid-proxy': {
    title: 'A proxy of the environment cannot be used',
    explain:
      'HTTPS_PROXY or HTTP_PROXY (also in lower case) is not the http:// URL of a proxy. Proxies are used by CONNECT; SOCKS and HTTPS proxies are not supported. NO_PROXY lists hosts that are reached directly: names with the names below them, .names and *.names for those below only, addresses, networks such as 10.0.0.0/8, each also with a port, or * for all.',
  },
} satisfies ExplainedCodes;
