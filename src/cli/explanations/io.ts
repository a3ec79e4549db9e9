import type { IoCode } from '../../base/errors/index.ts';
import type { Explanation } from './explanation.ts';

export const ioExplanations = {
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
} satisfies Readonly<Record<IoCode, Explanation>>;
