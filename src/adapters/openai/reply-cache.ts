import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const count = z.int().min(0).exactOptional();
const replySchema = z.object({
  text: z.string().min(1),
  promptTokens: count,
  completionTokens: count,
});
type KeptReply = Readonly<z.infer<typeof replySchema>>;

/** Replies by the hash of their request, one file each: what a dry run paid for, the live run reads. */
export interface ReplyCache {
  read(key: string): Promise<KeptReply | undefined>;
  write(key: string, reply: KeptReply): Promise<void>;
}

export function openReplyCache(folder: string): ReplyCache {
  const fileOf = (key: string): string => path.join(folder, "replies", `${key}.json`);
  return {
    read: async (key) => {
      const json = await readFile(fileOf(key), "utf8").catch(absent);
      return json === undefined ? undefined : parseReply(json);
    },
    write: async (key, reply) => {
      const file = fileOf(key);
      // Replies quote memories: for their owner's eyes, like the store.
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const temporary = `${file}.${process.pid}`;
      await writeFile(temporary, JSON.stringify(reply), { mode: 0o600 });
      await rename(temporary, file);
    },
  };
}

/** A file that was cut short counts as none: the question is asked again. */
function parseReply(json: string): KeptReply | undefined {
  try {
    return replySchema.safeParse(JSON.parse(json)).data;
  } catch {
    // Not JSON: the same as cut short.
    return undefined;
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
