import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A host of its own on this machine: a network namespace with an address, reached through a cable that can be pulled. */
export interface Host {
  readonly address: string;
  /** Words in front of a program that runs there. */
  readonly prefix: readonly string[];
  plug(isIn: boolean): void;
  /** Bytes that it has sent so far. */
  sent(): number;
}

export interface Network {
  readonly hosts: readonly Host[];
  remove(): void;
}

const ip = (...words: string[]): void => {
  execFileSync("ip", words, { stdio: ["ignore", "ignore", "pipe"] });
};

let networks = 0;

/** Hosts on one bridge, of which this process is a part too. Only root may make them. */
export function network(count: number): Network {
  const id = (process.pid + 5000 * networks++) % 10_000;
  const subnet = `10.${100 + (id % 100)}.${Math.floor(id / 100)}`;
  const bridge = `argmax${id}`;
  ip("link", "add", bridge, "type", "bridge");
  ip("address", "add", `${subnet}.1/24`, "dev", bridge);
  ip("link", "set", bridge, "up");
  const names = Array.from({ length: count }, (_, h) => `argmax${id}h${h}`);
  const hosts = names.map((name, h): Host => {
    const [outer, address] = [`ax${id}h${h}`, `${subnet}.${h + 2}`];
    ip("netns", "add", name);
    ip("link", "add", outer, "type", "veth", "peer", "name", "eth0", "netns", name);
    ip("link", "set", outer, "master", bridge, "up");
    const inside = ["-n", name];
    ip(...inside, "address", "add", `${address}/24`, "dev", "eth0");
    ip(...inside, "link", "set", "eth0", "up");
    ip(...inside, "link", "set", "lo", "up");
    return {
      address,
      prefix: ["ip", "netns", "exec", name],
      plug: (isIn) => ip("link", "set", outer, isIn ? "up" : "down"),
      sent: () => Number(readFileSync(`/sys/class/net/${outer}/statistics/rx_bytes`, "utf8")),
    };
  });
  return {
    hosts,
    remove: () => {
      for (const name of names) ip("netns", "delete", name);
      ip("link", "delete", bridge);
    },
  };
}
