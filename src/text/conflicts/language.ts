/**
 * Whether the rules, which know English, can read a text. Names, code and numbers do not decide; letters of another
 * script and the small words of another language do.
 */
export function isReadable(text: string): boolean {
  const prose = text.replace(/`[^`]*`|https?:\/\/\S+/gu, " ");
  const letters = prose.match(/\p{L}/gu) ?? [];
  const foreign = letters.filter((letter) => !/\p{Script=Latin}/u.test(letter));
  if (foreign.length > letters.length * FOREIGN_SHARE) return false;
  const words = prose.toLowerCase().match(/\p{L}+(?:'\p{L}+)?/gu) ?? [];
  const english = words.filter((word) => ENGLISH.has(word)).length;
  const others = words.filter((word) => OTHER_LANGUAGES.has(word)).length;
  return others <= english;
}

/** One name in another script is no reason to give up. */
const FOREIGN_SHARE = 0.2;

const asSet = (list: string): ReadonlySet<string> => new Set(list.split(" "));

const ENGLISH = asSet(
  "the a an is are was were be been has have had do does did of to in on at for with by from and or but not no this that it its he she they i we you user user's my his her their our your who which when where what will would should must can may never always every all use uses prefers likes works lives",
);

// Function words of languages in Latin script that are not English words as well.
const OTHER_LANGUAGES = asSet(
  "der das und ist nicht ein eine einen dem den mit für auf von zu im sich auch wird sind hat haben ich wir sie nutzt mag jeden " +
    "le la les des et est une du pas dans pour sur avec qui que au aux ce cette il elle nous vous sont ont aime chaque je tous " +
    "el los las y es una un del con para por como su sus más pero muy le gusta usuario usa cada sin está son no_es " +
    "il lo gli e di che per non della nel alla ogni piace utente sono " +
    "o os um uma em não do dos da das ao com mas seu sua gosta " +
    "de het een en van ik niet voor met op aan zijn naar gebruiker elke " +
    "w na nie się jest z i do że dla lubi codziennie " +
    "och är att det som på inte ett av för med användaren varje og ikke jeg til hver " +
    "ve bir bu için ile değil her kullanıcı çok ja on ei että se mutta joka käyttäjä pe",
);
