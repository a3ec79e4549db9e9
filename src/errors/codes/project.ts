export type ProjectCode =
  | 'project/not-found'
  | 'project/already-exists'
  | 'project/unsupported-version'
  | 'project/foreign-layout'
  | 'project/invalid'
  | 'project/duplicate-resource'
  | 'project/resource-exists'
  | 'project/resource-missing'
  | 'project/controller-exists'
  | 'project/plural-taken'
  | 'project/inconsistent-versions'
  | 'project/cannot-edit';
