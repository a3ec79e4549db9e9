// Asks a webhook as the API server does: HTTPS with connections that are kept, a uid of its own for each request. Prints its figures as JSON.
// The requests come in turn from a file of lines { path, body }.
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The uid in the bodies of the file.
const placeholder = "00000000-0000-0000-0000-000000000000"

// clockTicks is that of /proc, per second, on all architectures of Linux that Go and Node have.
const clockTicks = 100

type request struct {
	Path string `json:"path"`
	Body string `json:"body"`
	uid  int
}

type figures struct {
	Phase    string  `json:"phase"`
	Requests int     `json:"requests"`
	P50      float64 `json:"p50"`
	P99      float64 `json:"p99"`
	Longest  float64 `json:"longest"`
}

type driver struct {
	client    *http.Client
	url       string
	requests  []request
	sent      atomic.Int64
	failure   atomic.Pointer[error]
	mutex     sync.Mutex
	phases    []string
	latencies map[string][]time.Duration
}

func main() {
	url := flag.String("url", "", "of the webhook server, such as https://127.0.0.1:9443")
	authority := flag.String("ca", "", "file with the certificate of the authority")
	file := flag.String("requests", "", "file of lines { path, body }")
	count := flag.Int("n", 1000, "how many requests are measured")
	warmup := flag.Int("warmup", 0, "how many are sent before")
	connections := flag.Int("connections", 4, "how many requests are under way without a rate")
	rate := flag.Float64("rate", 0, "requests a second, by a fixed schedule: latency counts from when a request was due")
	phased := flag.Bool("phases", false, "with a rate: each line of stdin begins a phase, its end ends all")
	pid := flag.Int("pid", 0, "process whose CPU time is measured")
	flag.Parse()
	if err := run(*url, *authority, *file, *count, *warmup, *connections, *rate, *phased, *pid); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(url, authority, file string, count, warmup, connections int, rate float64, phased bool, pid int) error {
	d, err := newDriver(url, authority, file)
	if err != nil {
		return err
	}
	if err := d.awaitServer(); err != nil {
		return err
	}
	d.closedLoop(warmup, connections)
	d.latencies = map[string][]time.Duration{}
	before, err := cpuOf(pid)
	if err != nil {
		return err
	}
	switch {
	case phased:
		d.openLoop(rate, d.followPhases())
	case rate > 0:
		left := count
		d.openLoop(rate, func() (string, bool) { left--; return "", left >= 0 })
	default:
		d.closedLoop(count, connections)
	}
	after, err := cpuOf(pid)
	if err != nil {
		return err
	}
	if failure := d.failure.Load(); failure != nil {
		return *failure
	}
	report := struct {
		CPU    float64   `json:"cpu"`
		Phases []figures `json:"phases"`
	}{Phases: []figures{}}
	total := 0
	for _, phase := range d.phases {
		report.Phases = append(report.Phases, summary(phase, d.latencies[phase]))
		total += len(d.latencies[phase])
	}
	report.CPU = (after - before) / float64(total)
	return json.NewEncoder(os.Stdout).Encode(report)
}

func newDriver(url, authority, file string) (*driver, error) {
	certificate, err := os.ReadFile(authority)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	// As client-go sets up that of the API server.
	transport := &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12},
		MaxIdleConnsPerHost: 25,
		ForceAttemptHTTP2:   true,
	}
	d := &driver{client: &http.Client{Transport: transport, Timeout: 30 * time.Second}, url: url, latencies: map[string][]time.Duration{}}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		var each request
		if err := json.Unmarshal(line, &each); err != nil {
			return nil, err
		}
		if each.uid = strings.Index(each.Body, placeholder); each.uid < 0 {
			return nil, fmt.Errorf("%s: a body without the uid %s", file, placeholder)
		}
		d.requests = append(d.requests, each)
	}
	return d, nil
}

// awaitServer returns when the server answers anything at all.
func (d *driver) awaitServer() error {
	deadline := time.Now().Add(time.Minute)
	for {
		response, err := d.client.Get(d.url + "/")
		if err == nil {
			_, _ = io.Copy(io.Discard, response.Body)
			return response.Body.Close()
		}
		if time.Now().After(deadline) {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// closedLoop sends so many requests, each connection one after the other.
func (d *driver) closedLoop(count, connections int) {
	var left atomic.Int64
	left.Store(int64(count))
	var group sync.WaitGroup
	for range connections {
		group.Go(func() {
			for left.Add(-1) >= 0 && d.failure.Load() == nil {
				d.ask("", time.Now())
			}
		})
	}
	group.Wait()
}

// openLoop sends requests when they are due, whether or not those before are answered, as long as next says so.
func (d *driver) openLoop(rate float64, next func() (phase string, more bool)) {
	var group sync.WaitGroup
	began := time.Now()
	for index := 0; d.failure.Load() == nil; index++ {
		due := began.Add(time.Duration(float64(index) / rate * float64(time.Second)))
		time.Sleep(time.Until(due))
		phase, more := next()
		if !more {
			break
		}
		group.Go(func() { d.ask(phase, due) })
	}
	group.Wait()
}

// followPhases reads the names of phases from stdin.
func (d *driver) followPhases() func() (string, bool) {
	lines := bufio.NewScanner(os.Stdin)
	var current atomic.Pointer[string]
	if lines.Scan() {
		current.Store(new(lines.Text()))
	}
	go func() {
		for lines.Scan() {
			current.Store(new(lines.Text()))
		}
		current.Store(nil)
	}()
	return func() (string, bool) {
		phase := current.Load()
		if phase == nil {
			return "", false
		}
		return *phase, true
	}
}

func (d *driver) ask(phase string, due time.Time) {
	number := d.sent.Add(1)
	each := d.requests[int(number)%len(d.requests)]
	uid := fmt.Sprintf("%08x-5d1c-4c1e-9a55-%012x", uint32(number), number)
	body := []byte(each.Body)
	copy(body[each.uid:], uid)
	if err := d.post(each.Path, uid, body); err != nil {
		err = fmt.Errorf("%s: %w", each.Path, err)
		d.failure.CompareAndSwap(nil, &err)
		return
	}
	latency := time.Since(due)
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if _, known := d.latencies[phase]; !known {
		if !slices.Contains(d.phases, phase) {
			d.phases = append(d.phases, phase)
		}
	}
	d.latencies[phase] = append(d.latencies[phase], latency)
}

func (d *driver) post(path, uid string, body []byte) error {
	response, err := d.client.Post(d.url+path+"?timeout=10s", "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	isGood := bytes.Contains(answer, []byte(`"allowed":true`)) || bytes.Contains(answer, []byte(`"status":"Success"`))
	if response.StatusCode != http.StatusOK || !isGood || !bytes.Contains(answer, []byte(uid)) {
		return fmt.Errorf("%s: %.500s", response.Status, answer)
	}
	return nil
}

// cpuOf gives the seconds of CPU, user and system, that a process has had with all its threads.
func cpuOf(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// What is before is the name of the program, which may contain blanks.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, err := strconv.ParseFloat(fields[11], 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseFloat(fields[12], 64)
	return (user + system) / clockTicks, err
}

func summary(phase string, latencies []time.Duration) figures {
	slices.Sort(latencies)
	count := len(latencies)
	at := func(part float64) float64 {
		return float64(latencies[min(count-1, int(part*float64(count)))]) / float64(time.Millisecond)
	}
	return figures{phase, count, at(0.5), at(0.99), at(1)}
}
