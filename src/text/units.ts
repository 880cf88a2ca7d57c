export type Dimension =
  | "count"
  | "ordinal"
  | "percent"
  | "ratio"
  | "money"
  | "duration"
  | "length"
  | "area"
  | "mass"
  | "volume"
  | "data"
  | "bandwidth"
  | "temperature"
  | "speed"
  | "power"
  | "energy";

export interface Unit {
  readonly dimension: Dimension;
  /** What every unit of the dimension is converted to: "s", "m", "g", "byte", a currency code, … */
  readonly base: string;
  readonly toBase: (value: number) => number;
}

/** The unit that a word or symbol stands for. Symbols are case-sensitive where case decides ("Mb", "MB"); words are not. */
export function findUnit(word: string): Unit | undefined {
  return UNITS.get(word) ?? UNITS.get(word.toLowerCase());
}

// Written longest first where it matters: the source of the pattern that reads a unit after a number.
const SCALED: readonly (readonly [Dimension, string, string])[] = [
  [
    "duration",
    "s",
    "ms,msec,millisecond,milliseconds:0.001 s,sec,secs,second,seconds:1 min,mins,minute,minutes:60 h,hr,hrs,hour,hours:3600 " +
      "d,day,days:86400 week,weeks,wk,wks:604800 fortnight:1209600 month,months,mo:2592000 year,years,yr,yrs:31536000 decade,decades:315360000",
  ],
  [
    "length",
    "m",
    "nm:1e-9 µm,μm:1e-6 mm,millimetre,millimetres,millimeter,millimeters:0.001 cm,centimetre,centimetres,centimeter,centimeters:0.01 " +
      "m,metre,metres,meter,meters:1 km,kms,kilometre,kilometres,kilometer,kilometers:1000 mile,miles,mi:1609.344 yard,yards,yd:0.9144 " +
      "ft,foot,feet:0.3048 inch,inches:0.0254",
  ],
  [
    "area",
    "m²",
    "m²,m2,sqm:1 km²,km2:1e6 sqft:0.092903 hectare,hectares,ha:10000 acre,acres:4046.86",
  ],
  [
    "mass",
    "g",
    "µg,μg,mcg,microgram,micrograms:1e-6 mg,milligram,milligrams:0.001 g,gram,grams,gramme,grammes:1 kg,kgs,kilo,kilos,kilogram,kilograms:1000 " +
      "tonne,tonnes:1e6 lb,lbs,pound,pounds:453.592 oz,ounce,ounces:28.3495 stone:6350.29",
  ],
  [
    "volume",
    "l",
    "ml,millilitre,millilitres,milliliter,milliliters:0.001 cl:0.01 dl:0.1 l,L,litre,litres,liter,liters:1 gallon,gallons,gal:3.78541 pint,pints:0.473176",
  ],
  [
    "data",
    "byte",
    "B,byte,bytes:1 kb,kB,KB,kilobyte,kilobytes,kib,KiB:1024 mb,MB,megabyte,megabytes,MiB:1048576 gb,GB,gig,gigs,gigabyte,gigabytes,GiB:1073741824 " +
      "tb,TB,terabyte,terabytes,TiB:1099511627776 Mb,Mbit:131072 Gb,Gbit:134217728",
  ],
  ["bandwidth", "bit/s", "kbps:1e3 mbps,Mbps,Mbit/s:1e6 gbps,Gbps,Gbit/s:1e9 MB/s:8388608"],
  ["speed", "km/h", "km/h,kmh,kph:1 mph:1.609344 m/s:3.6"],
  ["power", "W", "W,watt,watts:1 kW,kw,kilowatt,kilowatts:1000 MW:1e6"],
  ["energy", "kcal", "kcal,cal,calorie,calories:1 kWh,kwh:860.421"],
  ["percent", "%", "%,percent,pct:1"],
  ["percent", "%", "bps:0.01"],
];

const CURRENCY_CODES = [
  "USD",
  "EUR",
  "GBP",
  "JPY",
  "CHF",
  "INR",
  "CNY",
  "AUD",
  "CAD",
  "PLN",
  "SEK",
  "NOK",
  "DKK",
  "BRL",
];

const CURRENCY_WORDS = [
  "$:USD dollar:USD dollars:USD bucks:USD €:EUR euro:EUR euros:EUR £:GBP quid:GBP ¥:JPY yen:JPY ₹:INR rupee:INR rupees:INR franc:CHF",
  "francs:CHF zł:PLN zloty:PLN krona:SEK kronor:SEK",
]
  .join(" ")
  .split(" ")
  .map((entry) => entry.split(":") as [string, string]); // every entry above has exactly one colon

const UNITS: ReadonlyMap<string, Unit> = new Map([
  ...scaledUnits(),
  ...moneyUnits(),
  ...temperatureUnits(),
]);

function scaledUnits(): [string, Unit][] {
  return SCALED.flatMap(([dimension, base, list]) =>
    list.split(" ").flatMap((entry) => {
      const [names = "", factor = "1"] = entry.split(":");
      const toBase = (value: number) => value * Number(factor);
      return names.split(",").map((name): [string, Unit] => [name, { dimension, base, toBase }]);
    }),
  );
}

function moneyUnits(): [string, Unit][] {
  const codes = CURRENCY_CODES.flatMap(
    (code) =>
      [
        [code, code],
        [code.toLowerCase(), code],
      ] as const,
  );
  return [...codes, ...CURRENCY_WORDS].map(([name, code]) => [
    name,
    { dimension: "money", base: code, toBase: (value) => value },
  ]);
}

function temperatureUnits(): [string, Unit][] {
  const celsius: Unit = { dimension: "temperature", base: "°C", toBase: (value) => value };
  const fahrenheit: Unit = {
    dimension: "temperature",
    base: "°C",
    toBase: (value) => ((value - 32) * 5) / 9,
  };
  return [
    ...["°C", "°c", "℃", "celsius", "°"].map((name): [string, Unit] => [name, celsius]),
    ...["°F", "°f", "℉", "fahrenheit"].map((name): [string, Unit] => [name, fahrenheit]),
  ];
}
