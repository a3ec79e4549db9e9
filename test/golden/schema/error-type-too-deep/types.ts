import type { CustomResource } from 'opsdk';

interface L0 {
  n: L1;
}
interface L1 {
  n: L2;
}
interface L2 {
  n: L3;
}
interface L3 {
  n: L4;
}
interface L4 {
  n: L5;
}
interface L5 {
  n: L6;
}
interface L6 {
  n: L7;
}
interface L7 {
  n: L8;
}
interface L8 {
  n: L9;
}
interface L9 {
  n: L10;
}
interface L10 {
  n: L11;
}
interface L11 {
  n: L12;
}
interface L12 {
  n: L13;
}
interface L13 {
  n: L14;
}
interface L14 {
  n: L15;
}
interface L15 {
  n: L16;
}
interface L16 {
  n: L17;
}
interface L17 {
  n: L18;
}
interface L18 {
  n: L19;
}
interface L19 {
  n: L20;
}
interface L20 {
  n: L21;
}
interface L21 {
  n: L22;
}
interface L22 {
  n: L23;
}
interface L23 {
  n: L24;
}
interface L24 {
  n: L25;
}
interface L25 {
  n: L26;
}
interface L26 {
  n: L27;
}
interface L27 {
  n: L28;
}
interface L28 {
  n: L29;
}
interface L29 {
  n: L30;
}
interface L30 {
  n: L31;
}
interface L31 {
  n: L32;
}
interface L32 {
  n: L33;
}
interface L33 {
  n: L34;
}
interface L34 {
  n: L35;
}
interface L35 {
  n: L36;
}
interface L36 {
  n: L37;
}
interface L37 {
  n: L38;
}
interface L38 {
  n: L39;
}
interface L39 {
  n: L40;
}
interface L40 {
  n: L41;
}
interface L41 {
  n: L42;
}
interface L42 {
  n: L43;
}
interface L43 {
  n: L44;
}
interface L44 {
  n: L45;
}
interface L45 {
  n: L46;
}
interface L46 {
  n: L47;
}
interface L47 {
  n: L48;
}
interface L48 {
  n: L49;
}
interface L49 {
  n: L50;
}
interface L50 {
  n: L51;
}
interface L51 {
  n: L52;
}
interface L52 {
  n: L53;
}
interface L53 {
  n: L54;
}
interface L54 {
  n: L55;
}
interface L55 {
  n: L56;
}
interface L56 {
  n: L57;
}
interface L57 {
  n: L58;
}
interface L58 {
  n: L59;
}
interface L59 {
  n: L60;
}
interface L60 {
  n: L61;
}
interface L61 {
  n: L62;
}
interface L62 {
  n: L63;
}
interface L63 {
  n: L64;
}
interface L64 {
  n: L65;
}
interface L65 {
  n: L66;
}
interface L66 {
  end: string;
}

export interface Sample extends CustomResource {
  spec: L0;
}
