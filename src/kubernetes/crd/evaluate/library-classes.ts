import { Cidr, Ip, Url } from './network.ts';
import { NamedFormat, Semver } from './named-values.ts';
import { Quantity } from './quantity.ts';

/** The classes of the libraries of Kubernetes, which cel-js has to know by a name. */
export const libraryClasses = { Cidr, Ip, NamedFormat, Quantity, Semver, Url };
