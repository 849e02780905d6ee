// Names for the schemas that several places use.
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Memory = Schemas["Memory"];
export type Hit = Schemas["Hit"];
export type Hits = Schemas["Hits"];
export type Discovery = Schemas["Discovery"];
export type Delivered = Schemas["Delivered"];
export type Relations = Schemas["Relations"];
export type Kind = Schemas["Kind"];
export type Project = Schemas["Project"];
export type Session = Schemas["Session"];
export type Change = Schemas["Change"];
export type Reconciled = Schemas["Reconciled"];
export type Waiting = Schemas["Waiting"];
export type Decision = Schemas["Decision"];
