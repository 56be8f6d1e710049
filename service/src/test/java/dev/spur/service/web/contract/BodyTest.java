package dev.spur.service.web.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.model.whatif.Change;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class BodyTest {
    private static final Contract CONTRACT = ContractedClient.contract();

    private static JsonNode read(String text) {
        return BodyReader.read(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<FieldError> errors(Runnable action) {
        ProblemException problem = catchThrowableOfType(ProblemException.class, action::run);
        return problem.errors();
    }

    private static ObjectNode example(String name) {
        return (ObjectNode) CONTRACT.document()
                .at("/components/examples/" + name + "/value")
                .deepCopy();
    }

    @Nested
    class WhatIsNoJson {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '~',
                value = {
                    "|''",
                    "{|''",
                    "{\"a\":1|/a",
                    "{\"a\":}|/a",
                    "{\"a\":[1,2,]}|/a/2",
                    "{\"a\":NaN}|/a",
                    "{\"a\":-Infinity}|/a",
                    "{\"a\":01}|/a",
                    "{'a':1}|''",
                    "{\"a\":1} x|''",
                    "{\"a\":1}{}|''",
                    "{\"a\":{\"b\":1,\"b\":2}}|/a/b",
                    "nul|''",
                    "{\"a\":\"x|/a",
                    "{\"a\":\"\\x\"}|/a",
                    "/* c */{}|''"
                })
        void isRefusedWithItsPlace(String text, String pointer) {
            String place = pointer.equals("''") ? "" : pointer;
            assertThat(errors(() -> read(text == null ? "" : text)))
                    .singleElement()
                    .satisfies(error -> assertThat(error.pointer()).isEqualTo(place));
        }

        @Test
        void includesWhatIsTooDeepOrNotUtf8() {
            assertThat(errors(() -> read("[".repeat(5000)))).hasSize(1);
            assertThat(errors(() -> BodyReader.read(new byte[] {'{', '"', 'a', '"', ':', '"', (byte) 0xff, '"', '}'})))
                    .hasSize(1);
            assertThat(errors(() -> read("{\"a\":" + "9".repeat(5000) + "}")))
                    .extracting(FieldError::pointer)
                    .containsExactly("/a");
        }
    }

    @Test
    void textThatTheDatabaseCannotKeepIsNamed() {
        assertThat(errors(() -> read(
                        "{\"a\":{\"b\":[\"ok\",\"\\u0000\"]},\"c\":\"\\ud800\",\"d\":\"\\udc00\\ud800\",\"e\":1e999}")))
                .extracting(FieldError::pointer)
                .containsExactly("/a/b/1", "/c", "/d", "/e");
        assertThat(read("{\"a\":\"\\ud83d\\ude00\"}").path("a").asString()).isEqualTo("\ud83d\ude00");
    }

    @Test
    void aNameThatTheDatabaseCannotKeepIsNamedByItsObject() {
        assertThat(errors(() -> read("{\"a\":{\"\\u0000\":1}}")))
                .extracting(FieldError::pointer)
                .containsExactly("/a");
    }

    @Test
    void onlyUtf8IsRead() {
        for (Charset charset : List.of(StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            assertThat(errors(() -> BodyReader.read("{\"a\": 1}".getBytes(charset))))
                    .extracting(FieldError::message)
                    .containsExactly("is in UTF-16 or UTF-32, by its first bytes; UTF-8 is required");
        }
        assertThat(read("\ufeff{\"a\": 1}").path("a").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e-320", "-0.0", "1e-10"})
    void anAmountIsAtLeastABillionth(String value) {
        ObjectNode spec = (ObjectNode) example("jobSubmissionFull").path("spec");
        ((ObjectNode) spec.path("work")).set("amount", read(value));

        assertThat(CONTRACT.check("/components/schemas/JobSpec").errors(spec))
                .extracting(FieldError::message)
                .containsExactly("must be at least 1.0E-9; it is " + read(value).asString());
    }

    @Test
    void aSpeedIsZeroOrAtLeastABillionth() {
        ObjectNode spec = (ObjectNode) example("jobSubmissionFull").path("spec");
        ObjectNode point = (ObjectNode) spec.path("profile").path("points").path(0);
        SchemaCheck check = CONTRACT.check("/components/schemas/JobSpec");
        assertThat(check.errors(spec)).isEmpty();

        point.set("samplesPerSecond", read("1e-320"));
        assertThat(check.errors(spec))
                .extracting(FieldError::message)
                .containsExactly("must be 0, or at least 1.0E-9; it is 1.0E-320");

        point.set("samplesPerSecond", read("-0.0"));
        assertThat(check.errors(spec)).isEmpty();
        assertThat(1 / point.path("samplesPerSecond").asDouble()).isPositive();
    }

    @Nested
    class WhatNoSchemaSays {
        @Test
        void isReportedAllAtOnce() {
            ObjectNode spec = (ObjectNode) example("jobSubmissionFull").path("spec");
            ((ObjectNode) spec.path("elasticity")).put("minSlots", 8);
            ((ObjectNode) spec.path("batch")).put("initial", 1);
            ((ObjectNode) spec.path("synchronization")).put("allReduce", false);
            ((ObjectNode) spec.path("profile").path("points").path(1)).put("nodes", 9);

            assertThat(errors(() -> Binder.bind(spec, JobSpec.class)))
                    .extracting(FieldError::pointer)
                    .containsExactlyInAnyOrder(
                            "/elasticity/maxSlots", "/batch/initial", "/synchronization", "/profile/points/1/nodes");
        }

        @Test
        void isReportedForAWholeOnceItsPartsAreSound() {
            ObjectNode spec = (ObjectNode) example("jobSubmissionFull").path("spec");
            ((ObjectNode) spec.path("profile").path("ratios").path(0)).put("like", "H100");

            assertThat(errors(() -> Binder.bind(spec, JobSpec.class)))
                    .singleElement()
                    .satisfies(error -> {
                        assertThat(error.pointer()).isEqualTo("/profile");
                        assertThat(error.message()).contains("H100");
                    });
        }
    }

    @Test
    void levelsOfHostsContainTheStatedOneAndNoSlowerOneWithMore() {
        ObjectNode spec = (ObjectNode) example("jobSubmissionFull").path("spec");
        ObjectNode slow =
                (ObjectNode) spec.path("hostSensitivity").path("levels").path(0);

        slow.put("cpusPerSlot", 8);
        assertThat(errors(() -> Binder.bind(spec, JobSpec.class)))
                .singleElement()
                .satisfies(error -> {
                    assertThat(error.pointer()).isEqualTo("/hostSensitivity");
                    assertThat(error.message()).contains("is slower than level");
                });

        slow.put("cpusPerSlot", 2);
        ((ObjectNode) spec.path("host")).put("cpusPerSlot", 3);
        assertThat(errors(() -> Binder.bind(spec, JobSpec.class)))
                .singleElement()
                .satisfies(error -> {
                    assertThat(error.pointer()).isEqualTo("/hostSensitivity");
                    assertThat(error.message()).contains("must have speed 1 at the stated 3.0 CPUs and 16.0 GiB");
                });

        slow.remove("speed");
        assertThat(CONTRACT.check("/components/schemas/JobSpec").errors(spec))
                .extracting(FieldError::pointer)
                .containsExactly("/hostSensitivity/levels/0/speed");
    }

    @Test
    void defaultsReachEveryDepth() {
        JsonNode whatIf = read("""
                {"changes": [{"change": "ADD_NODES", "nodes": [{"id": "n", "pool": "p"}]},
                             {"change": "SET_QUOTA", "tenant": "t", "acceleratorType": "a", "quota": {"nominal": 1}},
                             {"change": "SET_RESERVATION", "reservation": "r", "slots": {"pool": "p", "acceleratorType": "a", "count": 1}},
                             {"change": "SET_MAINTENANCE", "window": "w", "pool": "p", "start": "2001-01-01T00:00:00Z", "end": "2001-01-02T00:00:00Z"},
                             {"change": "ADD_PREPARATION", "preparation": "d", "spec": {"cpus": 1, "workingSetGiB": 1, "seconds": 1,
                              "minLocalFraction": 1, "slowDown": {"points": [{"localFraction": 1, "factor": 1}]}}}]}
                """);
        SchemaCheck check = CONTRACT.check("/components/schemas/WhatIfRequest");
        assertThat(check.errors(whatIf)).isEmpty();
        check.fillInDefaults(whatIf);

        assertThat(whatIf.at("/changes/0/nodes/0/state").asString()).isEqualTo("ACTIVE");
        assertThat(whatIf.at("/changes/1/quota/lendingLimit").isNull()).isTrue();
        assertThat(whatIf.at("/changes/2/leadSeconds").isNull()).isTrue();
        assertThat(whatIf.at("/changes/3/leadSeconds").asInt()).isEqualTo(300);
        assertThat(whatIf.at("/changes/4/tenant").asString()).isEqualTo("root");
        for (JsonNode change : whatIf.path("changes")) {
            assertThat(RoundJson.mapper().treeToValue(change, Change.class)).isNotNull();
        }
    }

    @Test
    void onlyNullOfAnOptionalPropertyWithoutNullIsRemoved() {
        ObjectNode spec = (ObjectNode) example("jobSubmissionFull").path("spec");
        spec.putNull("work").putNull("synchronization");
        SchemaCheck check = CONTRACT.check("/components/schemas/JobSpec");

        check.removeAbsentNulls(spec);

        assertThat(spec.has("work")).as("required").isTrue();
        assertThat(spec.has("synchronization")).as("optional").isFalse();
    }

    @Test
    void aSizeLimitConcernsValuesOfItsKindOnly() {
        ObjectNode submission = example("jobSubmissionFull");
        var items = submission.putArray("name");
        IntStream.range(0, 1000).forEach(items::add);

        assertThat(CONTRACT.check("/components/schemas/JobSubmission").errors(submission))
                .anySatisfy(error -> assertThat(error.message()).isEqualTo("is an array; a string is required"))
                .noneSatisfy(error -> assertThat(error.message()).contains("1000"));
    }

    @Test
    void aPatternIsStatedInWords() {
        ObjectNode submission = example("jobSubmissionFull");
        submission.put("name", "").put("owner", " ann").put("tenant", "bad type/../x");
        submission.putObject("labels").put("a b", "c").put("a".repeat(129), "d").put("", "e");

        assertThat(CONTRACT.check("/components/schemas/JobSubmission").errors(submission))
                .extracting(error -> error.pointer() + ": " + error.message())
                .containsExactlyInAnyOrder(
                        "/name: must not be empty",
                        "/owner: must be one line of visible characters other than . and .., without white space at its beginning or end",
                        "/tenant: may only have letters, digits and . _ : + @ -, and must begin with a letter or digit",
                        "/labels/a b: may only have letters, digits and . _ : / + @ -, and must begin with a letter or digit",
                        "/labels/%s: has a name of 129 characters, at most 128 are allowed".formatted("a".repeat(129)),
                        "/labels/: must not be empty");
    }

    @Test
    void theLanguageOfTheMachineDoesNotAffectTheMessages() {
        ObjectNode submission = example("jobSubmissionFull");
        submission.put("tenant", "bad type/../x").putObject("labels").put("a b", "c");
        ((ObjectNode) submission.at("/spec/elasticity"))
                .putArray("pools")
                .add("a")
                .add("a");
        Locale before = Locale.getDefault();
        List<FieldError> errors;
        try {
            Locale.setDefault(Locale.GERMAN);
            errors = CONTRACT.check("/components/schemas/JobSubmission").errors(submission);
        } finally {
            Locale.setDefault(before);
        }

        assertThat(errors)
                .extracting(error -> error.pointer() + ": " + error.message())
                .containsExactlyInAnyOrder(
                        "/tenant: may only have letters, digits and . _ : + @ -, and must begin with a letter or digit",
                        "/labels/a b: may only have letters, digits and . _ : / + @ -, and must begin with a letter or digit",
                        "/spec/elasticity/pools: must have only unique items in the array");
    }

    @Test
    void eachPatternOfARequestHasWords() {
        ObjectNode document = (ObjectNode) CONTRACT.document().deepCopy();
        ((ObjectNode) document.path("components")).remove("headers");
        ((ObjectNode) document.at("/components/schemas")).remove(List.of("IssuedToken", "CreatedWebhook"));

        assertThat(document.findValues("pattern"))
                .hasSizeGreaterThan(50)
                .filteredOn(JsonNode::isString)
                .allSatisfy(pattern ->
                        assertThat(PatternMessages.of(pattern.asString())).isPresent());
    }

    @Test
    void eachWrongPartHasOneErrorWithItsRemedy() {
        ObjectNode submission = example("jobSubmissionFull");
        submission.put("deadline", "tomorrow").put("gpus", 4).put("minSlots", 1).put("nam", "a");
        ObjectNode spec = (ObjectNode) submission.path("spec");
        spec.put("priority", 11).put("preemptible", "yes");
        ((ObjectNode) spec.path("batch")).put("initial", 0.5);

        assertThat(CONTRACT.check("/components/schemas/JobSubmission").errors(submission))
                .extracting(error -> error.pointer() + ": " + error.message())
                .containsExactlyInAnyOrder(
                        "/deadline: is not a time such as 2027-01-31T18:00:00Z",
                        "/gpus: is unknown",
                        "/minSlots: is unknown; did you mean /spec/elasticity/minSlots?",
                        "/nam: is unknown; did you mean name?",
                        "/spec/priority: must be at most 10; it is 11",
                        "/spec/preemptible: is a string; a boolean is required",
                        "/spec/batch/initial: is a number; an integer is required");
    }

    @Test
    void aTimeIsInAYearOfFourDigits() {
        for (String time : List.of("0000-01-01T00:00:00Z", "0001-01-01T00:00:00+10:00", "9999-12-31T23:59:59-10:00")) {
            assertThat(CONTRACT.check("/components/schemas/Time").errors(read('"' + time + '"')))
                    .as(time)
                    .extracting(FieldError::message)
                    .containsExactly("must be a time with Z or an offset, in the years 1 to 9999 of UTC,"
                            + " such as 2027-01-31T18:00:00Z");
        }
        for (String time : List.of("0001-01-01T00:00:00-10:00", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59+10:00")) {
            assertThat(CONTRACT.check("/components/schemas/Time").errors(read('"' + time + '"')))
                    .as(time)
                    .isEmpty();
        }
    }

    @Test
    void anIdempotencyKeyHasAtMost255Characters() {
        String key = "a".repeat(255);
        for (String valid : List.of(key, "\\\"" + key + "\\\"")) {
            assertThat(errorsOfKey(valid)).isEmpty();
        }
        for (String wrong : List.of(key + "a", "\\\"" + key + "a\\\"", "\\\"\\\"", "\\\"a", key + key)) {
            assertThat(errorsOfKey(wrong))
                    .containsExactly(
                            "must have 1 to 255 printable ASCII characters, with quotation marks around all or none");
        }
    }

    private static List<String> errorsOfKey(String key) {
        return CONTRACT.check("/components/parameters/IdempotencyKey/schema").errors(read('"' + key + '"')).stream()
                .map(FieldError::message)
                .toList();
    }

    @Test
    void aWrongIdHasOneError() {
        JsonNode id = read("\"xyz\"");
        assertThat(CONTRACT.check("/components/parameters/JobId/schema").errors(id))
                .extracting(FieldError::message)
                .containsExactly("is not an id such as 8f14e45f-ceea-467f-9a36-dedd4bea2543");
    }

    @Test
    void theDetailOfAProblemContainsItsFirstError() {
        assertThat(ProblemException.of(
                        ProblemType.UNPROCESSABLE, List.of(FieldError.at("", "exactly one of a and b is required"))))
                .hasMessage("The body: exactly one of a and b is required.");
        assertThat(ProblemException.of(
                        ProblemType.INVALID_REQUEST,
                        List.of(FieldError.at("/name", "is required"), FieldError.at("/spec", "is required"))))
                .hasMessage("/name: is required. 1 other error.");
        assertThat(ProblemException.of(ProblemType.INVALID_REQUEST, FieldError.at("", "has 9 members")))
                .hasMessage("The body has 9 members.");
    }

    @Test
    void aWholeNumberMayBeWrittenAsAFraction() {
        ObjectNode spec = (ObjectNode) example("jobSubmissionFull").path("spec");
        ((ObjectNode) spec.path("elasticity")).set("maxSlots", read("4e0"));
        assertThat(CONTRACT.check("/components/schemas/JobSpec").errors(spec)).isEmpty();

        assertThat(Binder.bind(spec, JobSpec.class).elasticity().maxSlots()).isEqualTo(4);
    }

    @Test
    void aNumberMayEqualALimitBeyond64Bits() {
        JsonNode hints = read("{\"gradParams\": {\"norm\": 1, \"var\": 1e30}}");
        SchemaCheck check = CONTRACT.check("/components/schemas/AdaptDlHints");

        assertThat(check.errors(hints)).isEmpty();
        assertThat(check.errors(read("{\"gradParams\": {\"norm\": 1, \"var\": 1.1e30}}")))
                .extracting(FieldError::pointer)
                .containsExactly("/gradParams/var");
    }
}
