package dev.spur.benchmarks.browser;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** Headless Chromium that visits dashboard views with an empty cache and measures each visit. */
public final class HeadlessBrowser implements AutoCloseable {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    /**
     * Script that runs before the scripts of a page. A view counts as shown once its heading replaces the loading
     * indicator.
     */
    private static final String WATCH = """
            window.seen = { shown: 0, largest: 0, tasks: 0, longest: 0 };
            new PerformanceObserver((list) => list.getEntries().forEach((one) => { seen.largest = one.startTime; }))
              .observe({ type: 'largest-contentful-paint', buffered: true });
            new PerformanceObserver((list) => list.getEntries().forEach((one) => {
              seen.tasks++;
              seen.longest = Math.max(seen.longest, one.duration);
            })).observe({ type: 'longtask', buffered: true });
            new MutationObserver(() => {
              if (!seen.shown && document.querySelector('main h1')) {
                seen.shown = performance.now();
              }
            }).observe(document, { childList: true, subtree: true });
            """;

    private static final String FIGURES = """
            const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
            const sum = (member) => all.reduce((total, one) => total + one[member], 0);
            return { ...seen, requests: all.length, transferred: sum('transferSize'), decoded: sum('decodedBodySize'),
              elements: document.querySelectorAll('*').length };
            """;
    private static final String BARRIERS = """
            const done = arguments[arguments.length - 1];
            axe.run().then((found) => done(found.violations.filter((one) => ['serious', 'critical'].includes(one.impact))
              .map((one) => one.id + ': ' + one.nodes.slice(0, 2).map((node) => node.html).join(' and '))));
            """;

    private final ChromeDriver driver;
    private final URI service;

    private HeadlessBrowser(ChromeDriver driver, URI service) {
        this.driver = driver;
        this.service = service;
    }

    /** Opens a browser for the service at {@code service}. */
    public static HeadlessBrowser open(URI service) {
        if (!Files.isExecutable(CHROMIUM) || !Files.isExecutable(DRIVER)) {
            throw new IllegalStateException(
                    "%s or %s is missing; install Chromium and its driver (Debian: chromium, chromium-driver)"
                            .formatted(CHROMIUM, DRIVER));
        }
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toFile());
        options.addArguments(
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-sync");
        ChromeDriverService program = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .build();
        ChromeDriver driver = new ChromeDriver(program, options);
        driver.manage().timeouts().scriptTimeout(TIMEOUT);
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand("Network.setCacheDisabled", Map.of("cacheDisabled", true));
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", WATCH));
        return new HeadlessBrowser(driver, service);
    }

    /** Returns the names of all views that the dashboard offers. */
    public List<String> views() throws InterruptedException {
        open("overview");
        await("return Boolean(document.querySelector('#views a'))", "The menu");
        List<?> names = (List<?>) Objects.requireNonNull(driver.executeScript(
                "return [...document.querySelectorAll('#views a[data-view]')].map((one) => one.dataset.view)"));
        return names.stream().map(String::valueOf).toList();
    }

    /**
     * Visits a view with an empty cache and observes it until it has refreshed at least once.
     *
     * @param watch observation time after the view is shown
     */
    public Visit visit(String view, Viewport screen, Duration watch) throws InterruptedException {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width",
                        screen.width,
                        "height",
                        screen.height,
                        "deviceScaleFactor",
                        1,
                        "mobile",
                        screen == Viewport.PHONE));
        open(view);
        TimeUnit.MILLISECONDS.sleep(watch.toMillis());
        Map<?, ?> figures = (Map<?, ?>) Objects.requireNonNull(driver.executeScript(FIGURES));
        driver.executeScript(axe());
        List<?> barriers = (List<?>) Objects.requireNonNull(driver.executeAsyncScript(BARRIERS));
        return Visit.of(figures, barriers.stream().map(String::valueOf).toList());
    }

    private void open(String view) throws InterruptedException {
        driver.get("about:blank");
        driver.get(service.resolve("/#/" + view).toString());
        await("return Boolean(document.querySelector('main h1'))", "The view " + view);
    }

    private void await(String condition, String what) throws InterruptedException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!Boolean.TRUE.equals(driver.executeScript(condition))) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("%s was not shown within %s".formatted(what, TIMEOUT));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Writes a screenshot in {@code theme} to a PNG file. */
    public void captureScreenshot(String theme, Path file) throws IOException {
        driver.executeScript("document.documentElement.dataset.theme = arguments[0]", theme);
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    private static String axe() {
        try (InputStream script = HeadlessBrowser.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("The axe-core script cannot be read", e);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
