export type CliCode =
  | 'cli/unsupported-node'
  | 'cli/interrupted'
  | 'cli/defect'
  | 'cli/unknown-command'
  | 'cli/unknown-flag'
  | 'cli/missing-value'
  | 'cli/invalid-value'
  | 'cli/unexpected-argument';
