/**
 * Passwords of twelve characters and more that stand in the lists of leaked ones again and again, in lower case. Shorter ones are refused for
 * their length, and runs of keys by `passwords.ts`.
 */
const WORDS = `
password1234 password12345 password123456 password1234567 password12345678 password123456789 passwordpassword password123password
passw0rd1234 p@ssw0rd1234 p@ssword1234 p@ssw0rd12345 p@ssword12345 pa$$word1234 pa$$w0rd1234 password2020 password2021 password2022
password2023 password2024 password2025 password2026 password2027 welcome12345 welcome123456 welcome1234567 welcome2024 welcome2025
welcome2026 welcomewelcome iloveyou1234 iloveyou12345 iloveyouforever iloveyousomuch iloveyou4ever iloveyoubaby iloveyou1314 iloveyou5201314
qwerty123456 qwerty1234567 qwerty12345678 qwertyuiop123 qwertyuiop1234 qwertyuiop[] 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i
1q2w3e4r5t6y7u8i9o0p q1w2e3r4t5y6 q1w2e3r4t5y6u7i8 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qaz@wsx3edc !qaz2wsx#edc zaq12wsxcde3 zaq1zaq1zaq1
qazwsxedcrfv qazwsxedc123 qweasdzxc123 123qweasdzxc qwe123qwe123 123qwe123qwe asdf1234asdf abcd1234abcd abc123abc123 abcd12345678
abcdefg12345 abcdef123456 a1b2c3d4e5f6 a1s2d3f4g5h6 1a2b3c4d5e6f 123456abcdef 123456789abc 123456789qwe 123456789abcd 12345678910a
1234567890qwe 1234567890abc 123456qwerty 123456654321 123321123321 112233445566 11223344556677 111222333444 123123123123 1234512345
123412341234 121212121212 131313131313 147258369147 159753159753 159357159357 741852963741 987654321987 135792468013 102030405060
admin1234567 admin12345678 admin123456789 administrator administrator1 adminadmin12 adminadminadmin admin@123456 adminpassword admin123admin
root12345678 rootrootroot toor12345678 changeme1234 changeme12345 changemenow1 changeit1234 letmein12345 letmein123456 letmeinletmein
letmeinplease trustno1trustno1 sunshine1234 sunshine12345 princess1234 princess12345 football1234 football12345 baseball1234 basketball12
superman1234 superman12345 batman123456 spiderman123 dragon123456 dragonball123 monkey123456 monkey1234567 michael12345 jennifer1234
jessica12345 charlie12345 shadow123456 master123456 mustang12345 computer1234 computer12345 internet1234 internet12345 samsung12345
liverpool123 liverpoolfc1 manchester1 manchesterunited chelsea12345 arsenal12345 barcelona123 realmadrid12 juventus1234 galatasaray1905
fenerbahce1907 besiktas1903 starwars1234 pokemon12345 minecraft123 fortnite1234 whatever1234 thisismypassword thisisapassword mypassword12
mypassword123 mypassword1234 yourpassword notapassword secretpassword secret123456 secret1234567 topsecret1234 supersecret1 supersecret123
supersecretpassword correcthorsebatterystaple opensesame12 letthemoneyflow testtest1234 testtesttest test12345678
test123456789 testing12345 testing123456 testpassword testpassword1 temp12345678 temppassword temporary123 default12345 defaultpassword
guest1234567 user12345678 useruseruser company12345 company123456 business1234 business12345 finance12345 accounting1 accounting123
money1234567 moneymoney12 moneymoneymoney bankbankbank banking12345 payment12345 payments1234 treasurer123 bursarbursar summer2024!!!
summer2025!!! winter2024!!! winter2025!!! spring2025!! autumn2025!! january12345 monday123456 qwertyqwerty asdfghasdfgh zxcvbnzxcvbn
asdfasdfasdf qweqweqweqwe asdasdasdasd zxczxczxczxc aaaabbbbcccc hallohallo12 hallo1234567 passwort1234 passwort12345 passwort123456
passwortpasswort geheim123456 geheim1234567 motdepasse12 motdepasse123 azertyuiop12 azertyuiop123 azerty123456 contrasena123 contraseña123
password12!@ password!234 password@1234 password@12345 password#1234 password!12345 password123!! password1234! password123456! welcome@12345
welcome@1234 welcome!1234 p@$$w0rd1234 p@55w0rd1234 passw0rd12345 passw0rd123456 nimda1234567 google123456 facebook1234 linkedin1234
iloveyou!!!! godisgood123 jesuschrist1 jesusislord1 jesuslovesme blessed12345 angel1234567 forever12345 family123456 happy1234567
`;

/** Lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
