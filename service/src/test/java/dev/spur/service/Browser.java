package dev.spur.service;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.stream.StreamSupport;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.ElementNotInteractableException;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A headless Chromium that looks at the dashboard. */
final class Browser implements AutoCloseable {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    /** The last ones keep it from calling its maker. */
    private static final List<String> FLAGS = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    private static final long LIMIT_SECONDS = 60;

    private final ChromeDriver driver;
    private final String base;

    private Browser(ChromeDriver driver, String base) {
        this.driver = driver;
        this.base = base;
    }

    /** Opens a browser for the service at {@code base}; skips the test where there is none. */
    static Browser open(String base) {
        assumeTrue(
                Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER),
                "chromium or chromedriver is missing (Debian: chromium, chromium-driver), so the dashboard is not looked at");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toFile());
        options.addArguments(FLAGS);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .build();
        return new Browser(new ChromeDriver(service, options), base);
    }

    /** Shows a view, and waits until it has something to show. */
    void show(String view) throws InterruptedException {
        driver.get(base + "/#/" + view);
        driver.navigate().refresh(); // another address of the same page alone loads nothing anew
        await(() -> !all("main h1").isEmpty());
    }

    /** Goes to a page of its own. */
    void go(String path) {
        driver.get(base + path);
    }

    /** Goes to where nothing is. */
    void leave() {
        driver.get("about:blank");
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    WebElement one(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    /** Presses what the selector finds, once it is there: the view may be drawn anew between the look and the press. */
    void press(String selector) throws InterruptedException {
        await(() -> {
            one(selector).click();
            return true;
        });
    }

    /** Types into what the selector finds, once it is there. */
    void type(String selector, CharSequence keys) throws InterruptedException {
        await(() -> {
            one(selector).sendKeys(keys);
            return true;
        });
    }

    /** Everything that can be read in the view. */
    String text() {
        return text("main");
    }

    /** What can be read in the first element that the selector finds, as it is drawn now. */
    String text(String selector) {
        WebElement element = one(selector);
        try {
            return element.getText();
        } catch (StaleElementReferenceException drawnAnew) {
            return text(selector);
        }
    }

    /** The value of an expression of JavaScript. */
    Object value(String expression) {
        return Objects.requireNonNull(driver.executeScript("return " + expression), expression);
    }

    /** Makes it {@code width} x {@code height} pixels large, as a telephone or a laptop is. */
    void size(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
    }

    void theme(String name) {
        driver.executeScript("document.documentElement.dataset.theme = arguments[0]", name);
    }

    /** What the page has complained about since the last call. */
    List<String> complaints() {
        return StreamSupport.stream(driver.manage().logs().get(LogType.BROWSER).spliterator(), false)
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    /** What keeps people with impairments from using the view, as axe finds it, in words. */
    List<?> barriers() {
        return barriers("{}");
    }

    /** Those of the barriers that are a matter of colours. */
    List<?> contrasts() {
        return barriers("{runOnly: {type: 'rule', values: ['color-contrast']}}");
    }

    private List<?> barriers(String options) {
        if ((Boolean) value("typeof axe === 'undefined'")) {
            driver.executeScript(axe());
        }
        return (List<?>) Objects.requireNonNull(driver.executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                axe.run(%s).then((found) => done(found.violations.map((one) =>
                    one.id + ": " + one.help + " at " + one.nodes.slice(0, 3).map((node) => node.html).join(" and "))));
                """.formatted(options)));
    }

    private static String axe() {
        try (InputStream script = Browser.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Something that may not be true yet. */
    interface Condition {
        boolean holds() throws Exception;
    }

    /**
     * Waits until something is true, for as long as a busy machine may take. What is asked of an element that is not
     * there, or was drawn anew in between, is not true yet.
     */
    void await(Condition condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!holds(condition)) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited too long; the view says: " + text() + " " + complaints());
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static boolean holds(Condition condition) {
        try {
            return condition.holds();
        } catch (StaleElementReferenceException | NoSuchElementException | ElementNotInteractableException drawnAnew) {
            return false;
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new AssertionError("the condition failed", failed);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
