// A conformant endpoint with the standard library. The line CHANGE is replaced by all
// seeds, each a function of this program with a name.
package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

const key = "sekret-0f9d2c71"

type Account struct {
	ID, Name, Owner, Plan string
	Seats                 int
}
type M = map[string]any
type Received struct {
	*http.Request
	params         url.Values
	id, code, kind string
	memory         *Memory
}
type Memory struct{ account *Account; id string; allowed bool }
type Response struct {
	status  int
	headers map[string]string
	body    []byte
}

var accounts = []*Account{
	{"acc_northwind", "Northwind Traders", "Priya Natarajan", "Business", 25},
	{"acc_lumen", "Lumen Optics", "Tomas Lindqvist", "Starter", 4},
	{"acc_fabrikam", "Fabrikam Industries", "Mei Tanaka", "Business", 70},
}
var first, second, third = accounts[0], accounts[1], accounts[2]

func find(id string) *Account {
	for _, each := range accounts {
		if each.ID == id {
			return each
		}
	}
	return nil
}
func otherThan(a *Account) *Account {
	if a == first {
		return second
	}
	return first
}
func text(label string, value any) M { return M{"type": "text", "label": label, "value": value} }
func show(components ...any) M {
	return M{"version": "1.0.0", "header": M{"title": "Billing"}, "components": components}
}
func reply(value any, more ...any) Response {
	response := Response{200, map[string]string{"content-type": "application/json", "x-content-type-options": "nosniff", "cache-control": "no-store"}, nil}
	if raw, ok := value.(string); ok {
		response.body = []byte(raw)
	} else {
		var buffer bytes.Buffer
		encoder := json.NewEncoder(&buffer)
		encoder.SetEscapeHTML(false)
		encoder.Encode(value)
		response.body = buffer.Bytes()
	}
	for _, each := range more {
		switch part := each.(type) {
		case int:
			response.status = part
		case map[string]string:
			for name, value := range part {
				response.headers[name] = value
			}
		}
	}
	return response
}

type H = map[string]string

var lock sync.Mutex
var view = func(a *Account) M {
	return show(text("Name", a.Name), text("Owner", a.Owner), text("Plan", a.Plan), text("Seats", fmt.Sprint(a.Seats)))
}
var unknown = func(r *Received) M { return show(text("Result", "No such customer")) }
var lookup = func(r *Received) *Account { return find(r.id) }
var authorized = func(r *Received) bool { return r.Header.Get("x-key") == key }
var rejected = func(r *Received) Response { return reply(M{"error": "unauthorized"}, 401) }
var verify = func(r *Received) Response { return reply(M{"code": r.code}) }
var other = func(r *Received) Response { return reply(M{"error": "bad request"}, 400) }
var payload = func(r *Received) M {
	if a := lookup(r); a != nil {
		return view(a)
	}
	return unknown(r)
}
var data = func(r *Received) Response { return reply(payload(r)) }

func add(r *Received, components ...any) Response {
	p := payload(r)
	p["components"] = append(p["components"].([]any), components...)
	return reply(p)
}

var seeds = map[string]func(){
	// CHANGE
}

var _, _, _, _ = base64.StdEncoding, hex.EncodeToString, html.EscapeString, strings.ToUpper
var _ = time.Now

type memoryKey struct{}

func main() {
	if seed, ok := seeds[os.Args[1]]; ok {
		seed()
	} else if os.Args[1] != "" {
		panic("no seed " + os.Args[1])
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		params := request.URL.Query()
		r := &Received{request, params, params.Get("account_id"), params.Get("code"), params.Get("request_type"), request.Context().Value(memoryKey{}).(*Memory)}
		var response Response
		switch {
		case !authorized(r):
			response = rejected(r)
		case r.kind == "verify" && r.code != "":
			response = verify(r)
		case r.kind == "fetch_data":
			response = data(r)
		default:
			response = other(r)
		}
		for name, value := range response.headers {
			w.Header().Set(name, value)
		}
		w.WriteHeader(response.status)
		w.Write(response.body)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("http://%s/\n", listener.Addr())
	go func() { io.Copy(io.Discard, os.Stdin); os.Exit(0) }()
	server := &http.Server{Handler: handler, ConnContext: func(c context.Context, _ net.Conn) context.Context {
		return context.WithValue(c, memoryKey{}, &Memory{})
	}}
	server.Serve(listener)
}
