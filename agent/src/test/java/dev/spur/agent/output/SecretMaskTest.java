package dev.spur.agent.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretMaskTest {
    private static final SecretMask NONE = SecretMask.of(Map.of(), List.of());

    @Test
    void valuesOfSecretVariablesAreMasked() {
        SecretMask mask = SecretMask.of(
                Map.of(
                        "WANDB_API_KEY", "0123456789abcdef",
                        "DB_PASSWORD", "correct horse",
                        "MODEL", "resnet",
                        "HF_TOKEN", "one line\nanother line"),
                List.of("of the agent"));

        assertThat(mask.mask("key=0123456789abcdef correct horse resnet\nanother line, of the agent"))
                .isEqualTo("key=*** *** resnet\n***, ***");
    }

    @Test
    void wordsAndNumbersOfTrainingsAreNotMasked() {
        SecretMask mask = SecretMask.of(
                Map.of("TOKENIZERS_PARALLELISM", "false", "MAX_TOKENS", "1024", "USE_KEY", "1", "PWD", "/work"),
                List.of(""));
        String text = "tokens: 1024 false 1 /work tokens/s=8192 pad_token=[PAD] loss 2.31 key points task-sk-small";

        assertThat(mask.mask(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spur_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ",
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
                "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
                "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH",
                "AKIAABCDEFGHIJKLMNOP",
                "sk-abcdefghijklmnopqrstuvwx"
            })
    void tokensOfCommonFormatsAreMasked(String token) {
        assertThat(NONE.mask("sent (" + token + ").")).isEqualTo("sent (***).");
    }

    @Test
    void credentialsInHeadersUrlsAndAssignmentsAreMasked() {
        assertThat(NONE.mask("Authorization: Bearer abc.def-123456")).isEqualTo("Authorization: Bearer ***");
        assertThat(NONE.mask("postgres://spur:hunter22@db/x")).isEqualTo("postgres://spur:***@db/x");
        assertThat(NONE.mask("{\"api_key\": \"abcd1234\", \"n\": 1}")).isEqualTo("{\"api_key\": \"***\", \"n\": 1}");
    }

    @Test
    void privateKeysAreMaskedAlsoWithoutTheirStart() {
        String key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabcd\n-----END RSA PRIVATE KEY-----\nafter";

        assertThat(NONE.mask("before\n" + key)).doesNotContain("MIIE", "abcd").contains("before", "after");
        assertThat(NONE.mask(key.substring(key.indexOf("abcd"))))
                .doesNotContain("abcd")
                .contains("after");
    }

    @Test
    void longTextOfTokenCharactersTakesLinearTime() {
        String text = "eyJ".repeat(50_000) + "://" + "a:".repeat(50_000) + "-----BEGIN PRIVATE KEY".repeat(5_000);

        assertThat(NONE.mask(text)).isNotEmpty();
    }
}
