export type ScaffoldCode =
  | 'scaffold/file-exists'
  | 'scaffold/file-changed'
  | 'scaffold/file-edited'
  | 'scaffold/outside-project'
  | 'scaffold/marker-missing'
  | 'scaffold/unknown-template'
  | 'scaffold/bad-template'
  | 'scaffold/rollback-failed'
  | 'scaffold/interrupted-write'
  | 'scaffold/project-locked'
  | 'scaffold/install-failed'
  | 'scaffold/pack-failed';
