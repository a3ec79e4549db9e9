import { defineConversion } from 'opsdk';
import { Memcached } from '../../api/cache/v1/memcached.ts';
import { Memcached as MemcachedV1alpha1 } from '../../api/cache/v1alpha1/memcached.ts';

// Objects are stored as v1, the hub. The API server asks for a conversion when somebody reads or writes another version, a
// spoke. Only what is beside metadata is converted here.
//
// A part that is the same in both versions is passed whole. Where a part differs, name the fields that do; a rest takes the others:
//   to: ({ spec: { size, ...rest }, status }) => ({ spec: { ...rest, replicas: size }, status }),
// What a version has no field for is kept in an annotation, so that nothing is lost.

export const memcachedConversion = defineConversion(Memcached).spoke(MemcachedV1alpha1, {
  to: ({ spec, status }) => ({ spec, status }),
  from: ({ spec, status }) => ({ spec, status }),
});
