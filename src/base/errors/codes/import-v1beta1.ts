export type ImportV1beta1Code = 'import/v1beta1' | 'import/v1beta1-lost';
